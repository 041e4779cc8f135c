"""A server that speaks as much of W&B's protocol as one run needs: GraphQL, the file stream, uploads. It keeps what it
was told, merged as W&B's own would: a history row by its offset, a summary and a configuration by their newest words.
"""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

KEY = "0123456789abcdef0123456789abcdef01234567"
HISTORY, SUMMARY = "wandb-history.jsonl", "wandb-summary.json"


class WandbServer:
    """What runs have told, by their ids."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.refuses = refuses  # whatever key comes
        self.runs: dict[str, dict[str, Any]] = {}
        self.histories: dict[str, dict[int, dict[str, Any]]] = {}
        self.summaries: dict[str, dict[str, Any]] = {}
        self.ended: dict[str, int] = {}  # exit codes
        self.files: dict[str, bytes] = {}
        self.artifacts: dict[str, list[str]] = {}  # aliases by name
        self.unknown: list[str] = []  # operations that nothing was answered to
        self.url = ""

    def history(self, run: str) -> list[dict[str, Any]]:
        rows = self.histories.get(run, {})
        return [rows[offset] for offset in sorted(rows)]

    def rows(self, run: str) -> dict[int, dict[str, float]]:
        """Numbers by generation, but for those of W&B itself and of steps."""
        found: dict[int, dict[str, float]] = {}
        for row in self.history(run):
            if "generation" in row:
                numbers = {
                    name: float(value)
                    for name, value in row.items()
                    if isinstance(value, int | float) and not name.startswith("_") and name != "generation"
                }
                found.setdefault(int(row["generation"]), {}).update(numbers)
        return found

    def config(self, run: str) -> dict[str, Any]:
        return {name: one["value"] for name, one in self.runs[run]["config"].items() if name != "_wandb"}

    def graphql(self, operation: str, said: dict[str, Any]) -> Any:
        answer = getattr(self, "_" + re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower(), None)
        if answer is None:
            self.unknown.append(operation)
            return {}
        return answer(said)

    def _viewer(self, _: dict[str, Any]) -> Any:
        me = {"id": "V", "entity": "me", "username": "me", "email": "", "flags": "{}", "teams": {"edges": []}}
        return {"viewer": me}

    def _run_resume_status(self, said: dict[str, Any]) -> Any:
        run = self.runs.get(said["name"])
        entity = {"id": "E", "name": "me"}
        return {"model": {"id": "P", "name": said["project"], "entity": entity, "bucket": run and self._bucket(run)}}

    def _upsert_bucket(self, said: dict[str, Any]) -> Any:
        inserted = said["name"] not in self.runs
        run = self.runs.setdefault(said["name"], {"id": f"R{len(self.runs)}", "config": {}, "tags": []})
        run |= {name: value for name, value in said.items() if value is not None and name not in {"config", "id"}}
        run["config"] |= json.loads(said["config"] or "{}")
        return {"upsertBucket": {"bucket": self._bucket(run), "inserted": inserted}}

    def _bucket(self, run: dict[str, Any]) -> dict[str, Any]:
        history = self.history(run["name"])
        project = {"id": "P", "name": run["project"], "entity": {"id": "E", "name": "me"}}
        return {
            "id": run["id"], "name": run["name"], "displayName": run.get("displayName"), "description": None,
            "config": json.dumps(run["config"]), "sweepName": None, "project": project, "tags": run["tags"],
            "notes": None,
            "summaryMetrics": json.dumps(self.summaries.get(run["name"], {})),
            "historyLineCount": len(history), "eventsLineCount": 0, "logLineCount": 0,
            "historyTail": json.dumps([json.dumps(row) for row in history[-1:]]), "eventsTail": "[]",
            "wandbConfig": json.dumps({"t": 1}),
        }  # fmt: skip

    def _create_run_files(self, said: dict[str, Any]) -> Any:
        files = [{"name": name, "uploadUrl": f"{self.url}/upload/{said['run']}/{name}"} for name in said["files"]]
        return {"createRunFiles": {"runID": "R", "uploadHeaders": [], "files": files}}

    def _artifact_type(self, _: dict[str, Any]) -> Any:
        return {"project": None}

    def _create_artifact(self, said: dict[str, Any]) -> Any:
        name = said["artifactCollectionName"]
        self.artifacts[name] = [alias["alias"] for alias in said["aliases"]]
        artifact = {"id": f"artifact of {name}", "state": "PENDING", "artifactSequence": {"latestArtifact": None}}
        return {"createArtifact": {"artifact": artifact}}

    def _create_artifact_manifest(self, _: dict[str, Any]) -> Any:
        file = {"uploadUrl": f"{self.url}/upload/manifest", "uploadHeaders": []}
        return {"createArtifactManifest": {"artifactManifest": {"id": "M", "file": file}}}

    def _create_artifact_files(self, said: dict[str, Any]) -> Any:
        nodes = [
            {
                "storagePath": one["name"],
                "uploadUrl": f"{self.url}/upload/{one['artifactID'].removeprefix('artifact of ')}/{one['name']}",
                "uploadHeaders": [],
                "uploadMultipartUrls": None,
                "artifact": {"id": one["artifactID"]},
            }
            for one in said["artifactFiles"]
        ]
        return {"createArtifactFiles": {"files": {"edges": [{"node": node} for node in nodes]}}}

    def _commit_artifact(self, said: dict[str, Any]) -> Any:
        return {"commitArtifact": {"artifact": {"id": said["artifactID"], "digest": "d"}}}

    def stream(self, run: str, said: dict[str, Any]) -> None:
        for name, part in said.get("files", {}).items():
            rows = [json.loads(line) for line in part["content"]]
            if name == HISTORY:
                self.histories.setdefault(run, {}).update(enumerate(rows, start=part["offset"]))
            elif name == SUMMARY:
                self.summaries.setdefault(run, {}).update(rows[-1])
        if said.get("complete"):
            self.ended[run] = int(said["exitcode"])


@contextmanager
def wandb_server(**how: Any) -> Iterator[WandbServer]:
    state = WandbServer(**how)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Nothing: a test says what it wants to know."""

        def do_POST(self) -> None:
            said = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            said = gzip.decompress(said) if self.headers.get("Content-Encoding") == "gzip" else said
            if state.refuses:
                self._answer({"errors": [{"message": "permission denied"}]}, code=401)
            elif self.path == "/graphql":
                asked = json.loads(said)
                operation = asked.get("operationName") or re.split(r"\W+", asked["query"].strip())[1]
                variables = asked.get("variables") or {}
                self._answer({"data": state.graphql(operation, variables.get("input") or variables)})
            elif found := re.fullmatch(r"/files/[^/]+/[^/]+/([^/]+)/file_stream", self.path):
                state.stream(unquote(found[1]), json.loads(said))
                self._answer({})
            else:  # telemetry
                self._answer({})

        def do_PUT(self) -> None:
            name, length = unquote(self.path.removeprefix("/upload/")), int(self.headers["Content-Length"])
            state.files[name] = self.rfile.read(length)
            self._answer({})

        def do_GET(self) -> None:
            self._answer({})

        def _answer(self, what: Any, *, code: int = 200) -> None:
            body = json.dumps(what).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: Any) -> None:
            """A client that hangs up is none of a test's business."""

    server = Server(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
