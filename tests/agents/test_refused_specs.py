"""Specs that make no agent are refused in one line that says why, and quotes no secret."""

import re
import sys

import pytest

import romans_agents
from romans_agents import UnknownAgentError

OPTIONS_OF_ISMCTS = [
    *((f"{one}ismcts:exploration={x}", "is a number above 0") for one in ("mo-", "round-") for x in (0, "nan")),
    ("round-ismcts:iterations=0", "iterations is at least 1, not 0"),
    ("round-ismcts:iterations=5,iterations=6", "the option 'iterations' is given twice"),
    ("round-ismcts:seconds=0", "seconds is a number above 0, not 0.0"),
    ("round-ismcts:seconds=inf", "seconds is a number above 0"),
    ("round-ismcts:rollout=caesar", "rollout is one of random, .*likely.*, not 'caesar'"),
    ("round-ismcts:horizon=life", "horizon is round or game, not 'life'"),
    ("round-ismcts:rollout=policy", "needs a policy file"),
    ("ismcts:iterations=5", r"'ismcts:iterations=5' \(ismcts is now called round-ismcts\); there"),
]
OPTIONS_OF_PROCESS = [
    ("", "^agent 'process' needs the option 'command', as in 'process:command=...'"),
    ("no-such-program --fast", "^agent 'process': there is no program no-such-program; give its path"),
    ("'python", "^agent 'process': No closing quotation"),
    (f"{sys.executable},seconds=0", "^agent 'process': seconds is a number above 0, not 0.0"),
    (f"{sys.executable},bank=nan", "^agent 'process': bank is a number above 0, not nan"),
    (f"{sys.executable},restarts=-1", "^agent 'process': restarts is at least 0, not -1"),
    (f"{sys.executable},memory=0", r"^agent 'process': memory is at least 1 \(MB\), not 0"),
]
ODD_ADDRESSES = [
    "http://",
    "http://[",
    "http://[::",
    "http://127.0.0.1:x",
    "http://127.0.0.1:99999",
    "http://a b",
    "http://x/\u00e9",
    "http://\u00e9.x",
    "http://me:secret@x",
    "http://x@y/z",
    "http://x?key=secret",
    "http://x/#y",
]
OPTIONS_OF_LLM = [
    ("", "needs the option 'model'"),
    *((f"m,url={url}", "url begins with http:// or https://") for url in ("ftp://x", "ftp://me:secret@x", "x", "")),
    *((f"m,url={url}", "url is a host with at most a port and a path") for url in ODD_ADDRESSES),
    ("m,tries=0", "tries is at least 1, not 0"),
    ("m,seconds=0", r"seconds is a number above 0 and at most 1e\+06, not 0.0"),
    ("m,seconds=1e10", r"seconds is a number above 0 and at most 1e\+06"),
    ("m,temperature=nan", "temperature is a finite number, not nan"),
    ("m,key=sk-proj-secret", "key is the name of an environment variable that holds the key, not the key"),
]
OPTIONS_OF_ROLLOUTS = [
    ("candidates=1", "candidates is at least 2, not 1"),
    ("iterations=0", "iterations is at least 1"),
    *((f"value_weight={x}", "value_weight is a number of at least 0") for x in (-1, "nan")),
    *((f"turns={x}", f"turns is 1 to 1000, not {x}") for x in (0, 1001)),
]
REFUSED = {
    "romans-go-home": [
        *((f"process:{options}", why) for options, why in OPTIONS_OF_PROCESS),
        *((f"llm:{options}", why) for options, why in OPTIONS_OF_LLM),
        ("caesar", "^unknown agent 'caesar'; there are .*greedy.*random.*npz"),
        ("", "^unknown agent ''"),
        ("Greedy", "^unknown agent 'Greedy'"),
        ("caesar:seed=1", "^unknown agent 'caesar:seed=1'"),
        ("greedy:iq=3", "^agent 'greedy' has no option 'iq=3'; its options: none"),
        ("greedy:3", "^agent 'greedy' has no option '3'"),
        ("random:sede=3", "^agent 'random' has no option 'sede=3' .did you mean 'seed'..; its options: seed"),
        ("random:seed=3,4", "^agent 'random' has no option '4'"),
        ("random:seed=three", "^agent 'random': seed is a number, not 'three'"),
        ("random:seed=", "^agent 'random': seed is a number, not ''"),
        ("policy", "^agent 'policy' needs the option 'path'"),
        ("policy:sample=true", "^agent 'policy' needs the option 'path'"),
        ("policy:some.npz,sample=perhaps", "^agent 'policy': sample is true or false, not 'perhaps'"),
        ("legate:cut=2", "cut is from 0 to 1, not 2"),
        ("legate:path=x", "has no option 'path=x'"),
        ("tribune:temperature=0", "temperature is a number above 0, not 0.0"),
        *((f"round-response:trust={trust}", "trust is a probability") for trust in (-0.1, 1.5)),
        *((f"{name}:policy=greedy", "'greedy' has no network: name a policy") for name in ("round-ismcts", "plan-mc")),
        *OPTIONS_OF_ISMCTS,
        ("plan-mc:plans=1", "plans is 2 to 5040, not 1"),
        ("plan-mc:iterations=-3", "iterations is at least 1"),
        ("flat-mc:plans=10", r"no option 'plans=10' \(flat-mc is now called plan-mc\); its options"),
    ],
    "roma": [
        *(
            (f"expectimax:{name}={x}", f"^agent 'expectimax': {name} is 1 to {most}, not {x}$")
            for name, x, most in (("depth", 0, 6), ("depth", 7, 6), ("width", 0, 301), ("samples", -1, 1000))
        ),
        ("expectimax:seed=-1", "^agent 'expectimax': seed is at least 0, not -1$"),
        ("expectimax:depth=x", "^agent 'expectimax': depth is a number, not 'x'$"),
        ("expectimax:breadth=1", "'expectimax' has no option 'breadth=1'; its options: depth, width, samples, seed$"),
        ("forum-runner:seed=1", "^agent 'forum-runner' has no option 'seed=1'; its options: none$"),
        ("mo-ismcts:iterations=0", "^agent 'mo-ismcts': iterations is at least 1, not 0$"),
        ("mo-ismcts:seconds=0", "^agent 'mo-ismcts': seconds is a number above 0, not 0.0$"),
        ("mo-ismcts:seed=-1", "^agent 'mo-ismcts': seed is at least 0, not -1$"),
        ("flat-mc:iterations=0", "^agent 'flat-mc': iterations is at least 1, not 0$"),
        *((f"policy-rollouts:prior_floor={x}", f"prior_floor is from 0 to 1, not {x}") for x in (-0.1, 1.5, "nan")),
        ("policy-rollouts:policy=expectimax", "has no network"),
        ("policy-rollouts:policy=legate", "unknown agent 'legate'"),
        *((f"policy-rollouts:{options}", why) for options, why in OPTIONS_OF_ROLLOUTS),
    ],
    "struggle": [
        ("odoacer:least_worth=nan", "least_worth is a number above 0, not nan"),
        *((f"stilicho:{options}", why) for options, why in OPTIONS_OF_ROLLOUTS),
    ],
}


@pytest.mark.parametrize(("game", "spec", "why"), [(game, *row) for game, rows in REFUSED.items() for row in rows])
def test_a_spec_that_makes_no_agent_is_refused_in_one_line(game, spec, why):
    with pytest.raises(UnknownAgentError) as refused:
        romans_agents.make(spec, game=game)
    said = str(refused.value)
    assert re.search(why, said) and "\n" not in said and "secret" not in said
