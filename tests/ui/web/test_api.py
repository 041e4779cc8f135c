"""What programs ask over HTTP, and what stands before every request."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest
from tests.ui.web.kit import PATIENCE, Guest, serving, visit

from c4.players.thinker import Thinker
from c4.ui.web.server import STATIC
from c4.ui.web.tasks import NO_MEMORY


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with (
        serving("web.most_simulations=5000") as (_, port),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client,
    ):
        yield client


def test_a_position_is_analysed(client: httpx.Client) -> None:
    answer = client.post("/api/analyse", json={"position": "121212", "simulations": 400, "judge": "rollouts"}).json()
    assert (answer["game"], answer["judge"], answer["best"]) == ("connect4", "rollouts", 0)
    assert answer["proof"] == {"result": 1, "plies": 1}
    assert answer["line"][0] == "1"
    assert len(answer["moves"]) == 7


def test_simulations_are_those_that_were_asked_for(client: httpx.Client) -> None:
    assert client.post("/api/analyse", json={"simulations": 321}).json()["visits"] == 321


def test_exact_scores_come_where_they_are_asked_for(client: httpx.Client) -> None:
    question = {"game": "tictactoe", "position": "a1 b2", "simulations": 10}
    told = client.post("/api/analyse", json=question | {"truth": True}).json()
    untold = client.post("/api/analyse", json=question).json()
    assert {move["exact"] for move in untold["moves"]} == {None}
    assert None not in {move["exact"] for move in told["moves"]}


@pytest.mark.parametrize(
    ("game", "position"), [("tictactoe", "a1 b2 a2 b3 a3"), ("connect4_5x5", "1")], ids=["over", "too hard"]
)
def test_where_nobody_knows_exact_scores_the_rest_is_told(client: httpx.Client, game: str, position: str) -> None:
    question = {"game": game, "position": position, "simulations": 10, "truth": True}
    answer = client.post("/api/analyse", json=question)
    assert answer.status_code == 200
    assert {move["exact"] for move in answer.json()["moves"]} <= {None}


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ({"position": "9", "simulations": 10}, "9"),
        ({"position": "4", "simulations": 0}, "simulations"),
        ({"position": "4", "simulations": 5001}, "at most 5000"),
        ({"position": "4", "simulations": "many"}, "simulations"),
        ({"position": "4"}, "simulations"),
        ({"position": "4", "simulations": 10, "game": "chess"}, "No game is called 'chess'"),
        ({"position": "4", "simulations": 10, "judge": "../../etc/passwd"}, "no judge of connect4"),
        ({"position": "4", "simulations": 10, "extra": 1}, "extra"),
    ],
)
def test_what_is_asked_wrongly_gets_a_sentence(client: httpx.Client, question: dict[str, object], says: str) -> None:
    answer = client.post("/api/analyse", json=question)
    assert answer.status_code == 422
    assert says in answer.json()["error"]


def test_a_win_by_force_is_told_to_programs_that_ask_for_the_truth(client: httpx.Client) -> None:
    question = {"game": "gomoku15", "position": "d4 a1 e4 a3 f4 h8", "simulations": 10, "judge": "rollouts"}
    assert client.post("/api/analyse", json=question).json()["forced"] is None
    told = client.post("/api/analyse", json=question | {"truth": True}).json()
    assert told["forced"] == {"plies": 3, "by": "fours"}
    assert {move["exact"] for move in told["moves"]} == {None}


def test_the_truth_is_refused_where_it_is_switched_off() -> None:
    with serving("truth=false") as (_, port), httpx.Client(timeout=PATIENCE) as client:
        question = {"game": "gomoku9", "simulations": 10, "truth": True}
        answer = client.post(f"http://127.0.0.1:{port}/api/analyse", json=question)
    assert (answer.status_code, answer.json()["error"]) == (422, "perfect play is switched off: truth=true shows it")


def test_a_long_body_is_refused_whether_its_length_is_told_or_not(client: httpx.Client) -> None:
    body = json.dumps({"position": "4" * 100_000, "simulations": 1}).encode()
    assert client.post("/api/analyse", content=body).status_code == 413
    assert client.post("/api/analyse", content=iter([body[:60_000], body[60_000:]])).status_code == 413


def test_the_description_names_the_endpoint(client: httpx.Client) -> None:
    described = client.get("/api/openapi.json").json()
    assert "post" in described["paths"]["/api/analyse"]
    assert {"position", "simulations"} <= set(described["components"]["schemas"]["Question"]["properties"])


def test_health_counts_visitors(client: httpx.Client) -> None:
    assert client.get("/health").json() == {"ok": True, "visitors": 0}


@pytest.mark.parametrize("path", ["/", "/app.js", "/style.css", "/health", "/no/such/page", "/../server.py"])
def test_every_answer_binds_the_browser(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"


def test_a_page_names_no_other_host(client: httpx.Client) -> None:
    for path in ("/", *(f"/{file.name}" for file in STATIC.iterdir())):
        text = client.get(path).text.replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text
        assert "https://" not in text
        assert "<script>" not in text
        assert "style=" not in text


def test_another_sites_name_does_not_reach_a_local_server(client: httpx.Client) -> None:
    assert client.get("/health", headers={"host": "elsewhere.example"}).status_code == 421
    assert client.get("/health", headers={"host": "localhost:1"}).status_code == 200


def test_an_address_that_leads_nowhere_is_a_page_for_people_and_a_sentence_for_programs(client: httpx.Client) -> None:
    asked = client.get("/no/such/page", headers={"accept": "text/html,*/*"})
    assert (asked.status_code, asked.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "no page at this address" in asked.text
    assert client.get("/no/such/page").json() == {"error": "Not Found"}


def test_nothing_outside_of_the_page_is_served(client: httpx.Client) -> None:
    for path in ("/../server.py", "/%2e%2e/server.py", "/..%2fserver.py", "/static/../server.py"):
        assert client.get(path).status_code in {400, 404}


def test_where_memory_ends_programs_and_visitors_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def starved(*_: object) -> bool:
        raise MemoryError

    async def visits(one: Guest) -> None:
        await one.say("analyse", judges=["rollouts"], visits=10)
        assert (await one.hear("error"))["sentence"] == NO_MEMORY

    monkeypatch.setattr(Thinker, "advance", starved)
    with serving() as (_, port):
        answer = httpx.post(
            f"http://127.0.0.1:{port}/api/analyse", json={"simulations": 9, "judge": "rollouts"}, timeout=PATIENCE
        )
        assert (answer.status_code, answer.json()) == (503, {"error": NO_MEMORY})
        visit(port, visits)
