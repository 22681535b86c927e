"""The targets of mutation testing name existing modules and tests."""

import pytest
from tests.support.mutants import PACKAGES, ROOT, TARGETS, configuration


@pytest.mark.parametrize("name", TARGETS)
def test_modules_and_tests_of_a_target_exist(name: str) -> None:
    target = TARGETS[name]
    [package] = [ROOT / each for each in PACKAGES if target.package.startswith(each.split("/")[1])]
    folder = package.parent / target.package
    assert [module for module in target.modules if not (folder / f"{module}.py").is_file()] == []
    files = [path.name for path in (ROOT / target.tests).glob("test_*.py")]
    assert [each for each in target.slow if not any(each in file for file in files)] == []
    assert f"{target.tests}/test_" in configuration(target)
