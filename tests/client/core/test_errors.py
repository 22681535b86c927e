from parlour_client.core import errors
from parlour_client.core.errors import Fault


def test_each_fault_has_an_exit_code_of_its_own() -> None:
    classes: list[type[Fault]] = [Fault, *Fault.__subclasses__()]
    ours = [cls for cls in classes if cls.__module__ == errors.__name__]
    codes = {cls.__name__: cls.exit_code for cls in ours}
    assert codes == {
        "Fault": 1,
        "Usage": 2,
        "CannotConnect": 3,
        "Refused": 4,
        "WrongProtocol": 5,
        "Interrupted": 6,
        "BotFault": 7,
    }
    assert {errors.OK, errors.INTERRUPTED_BY_USER}.isdisjoint(codes.values())
