"""Checks files with a planted error each, which must be found."""

import c_targets
from platforms import HERE, Failure


def check(platform, compile):
    """Returns the number of controls. The first line of each says which error is to be found."""
    missed = []
    controls = sorted((HERE / "controls").iterdir())
    for control in controls:
        expected = control.read_text().splitlines()[0].removeprefix("// ")
        try:
            if control.suffix == ".c":
                objects = c_targets.objects(platform, [control])
                c_targets.compare(c_targets.undefined(objects) | c_targets.expected())
                c_targets.link(platform, objects)
            else:
                compile(platform, "Control", [control], emits=False)
        except Failure as failure:
            # The compiler also shows the source, and so the first line.
            errors = [line for line in str(failure).splitlines() if "error: " in line]
            if not any(expected in error for error in errors):
                missed.append(f"{control.name}: another error than {expected!r}:\n{failure}")
        else:
            missed.append(f"{control.name}: no error")
    if missed:
        raise Failure("Planted errors were not found:\n" + "\n".join(missed))
    return len(controls)
