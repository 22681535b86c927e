from tests.protocol.typed_turns import module

import parlour_bots.typed


def test_types_of_turns_are_those_of_the_specification() -> None:
    with open(parlour_bots.typed.__file__, encoding="utf-8") as file:
        assert file.read() == module(), "regenerate them: see tests/protocol/typed_turns.py"
