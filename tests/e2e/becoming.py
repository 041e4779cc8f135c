"""A process that has loaded torch and Lightning, and forks into one for each command that it is told.

It is told a line of JSON, `words`, `folder`, `environment` and the files `in`, `out` and `err`, and says the exit code.
"""

import atexit
import gc
import json
import os
import runpy
import sys
import threading
from pathlib import Path
from typing import Any, NoReturn

import pytorch_lightning  # noqa: F401  that is what takes long


def become(asked: dict[str, Any]) -> int | str | None:
    """What the command makes of a process. Gives what it ends with."""
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.dup2(os.open(asked["in"], os.O_RDONLY), 0)
    for stream, path in ((1, asked["out"]), (2, asked["err"])):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
    words: list[str] = asked["words"]
    try:
        if words[0] == "-m":
            sys.argv, sys.path[0] = words[1:], asked["folder"]
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv, sys.path[0] = words, str(Path(words[0]).parent)
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        return end.code
    except BaseException:  # noqa: BLE001  as the interpreter itself does
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def end(code: int | str | None) -> NoReturn:
    """As the interpreter ends, but for taking apart what is loaded, which takes a second."""
    if isinstance(code, str):
        print(code, file=sys.stderr)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def main() -> None:
    gc.freeze()
    for line in sys.stdin:
        child = os.fork()
        if not child:
            end(become(json.loads(line)))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
