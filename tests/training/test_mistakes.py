"""Mistakes on the command line are told in one line, without a traceback, and nothing is written."""

import shlex

import pytest

MISTAKES = """
evalute greedy -> no command 'evalute' (did you mean 'evaluate'?)
evaluate greedyy -> unknown agent 'greedyy' (did you mean 'greedy'?); there are
evaluate schemer:sed=1 -> agent 'schemer' has no option 'sed=1' (did you mean 'seed'?); its options: seed, quick
evaluate random --game rome -> unknown game 'rome' (did you mean 'roma'?); there are
evaluate greedy --against nobody -> unknown agent 'nobody'
evaluate greedy --against '' -> name at least one agent
evaluate missing.npz -> cannot read the policy file missing.npz: No such file
evaluate greedy --table 5+0 -> there is no table '5+0'
evaluate greedy --table 4+0 --against random+greedy -> 2 agents for 3 seats; name one
evaluate greedy --deals 1 -> 1 is not in the range
evaluate random --game chess -> unknown game 'chess'; there are roma, romans-go-home, struggle
replay missing.json -> cannot read the record missing.json
play --game chess -> unknown game 'chess'; there are
play --seat 2 -> the seats are numbered 0 to 1
play --against random,random -> 2 agents for 1 seats; name one agent, or one for each seat
train --game chess -> unknown game 'chess'; there are
train --minibatch-size 100000000 -> a minibatch of 100000000
train --resume --folder missing -> holds no run to resume
train --resume --seed 3 -> leave out --seed
train --resume --config settings.json --table 3+0 -> a resumed run keeps its settings; leave out --config, --table
train --folder /dev/null -> cannot create the run folder /dev/null
train --gamma 7 -> gamma is a number from 0 to 1
train --steps 9 --minutes 1 -> give one of them
train --opponents bot.py:Bot -> cannot read the agent's file bot.py
exploit -> Missing argument 'AGENT'
exploit greedy --table 1+1 -> with the setup 1+1 there is nobody to exploit
exploit greedy --minutes 0 -> minutes is a number above 0
exploit greedy --minutes 1 --steps 9 -> give one of them
exploit greedy --deals 1 -> 1 is not in the range x>=2
exploit greedy --resume -> holds no run to resume
exploit greedy --resume --seed 2 -> leave out --seed
exploit greedy --resume --table 3+0 -> leave out --table
exploit greedy --by search --resume -> --by search trains nothing: leave out --resume
exploit greedy --by learning --effort light --search-deals 10 -> does not search: leave out --effort, --search-deals
exploit greedy --by search --minutes 1 --deals 5 -> leave out --deals, --minutes
exploit greedy --by search --table 1+1 -> with the setup 1+1 there is nobody to exploit
exploit denier --by search --game roma -> roma has no response by search: give --by learning
exploit greedy --game roma -> unknown agent 'greedy' (it plays romans-go-home); there are denier, expectimax
tournament -> Missing argument 'AGENTS...'
tournament greedy -> name at least two agents; for a mirror match name one twice
tournament greedy random --table 5+0 -> there is no table '5+0'
tournament greedy random --picture some.gif -> a picture must be a file that ends in .png or .svg, not some.gif
tournament greedy random --folder /dev/null -> cannot create the folder /dev/null
tournament greedy random --deals 1 -> 1 is not in the range
tournament greedy random --move-time 0 -> 0.0 is not in the range
tournament greedy random random --line-ups 1 -> 1 line-ups of 2 leave some of 3 agents out; take 2
tournament a b c d e f g h i --table 4+0 --line-ups 2 -> 2 line-ups of 4 leave some of 9 agents out; take 3
tournament greedy random random --table 1+1 --line-ups 2 -> at least two seats
tournament greedy random --json . -> cannot write .: Is a directory; name another file
tournament greedy random --json /dev/null/a.json -> cannot write /dev/null/a.json: Not a directory
tournament greedy random --picture /dev/null/a/b.png -> cannot write /dev/null/a/b.png: Not a directory
tournament greedy random --replays /dev/null/a.html -> cannot write /dev/null/a.html: Not a directory
tournament greedy random --json a/../x --replays x -> x is named for two results
tournament greedy random --json runs/tournament-romans-go-home-2+0/results.sqlite -> is named for two results
"""
OF_ANOTHER_GAME = """
--table 2+0 -> roma has no named setups: leave out --table and --tables
--variant vogel -> roma has no --variant: leave it out
--setup num_neutrals=1 -> 'num_neutrals'
"""


def wrong_answers(called, folder, mistakes):
    """What is wrong with what is told of each mistake: a list of commands and what they say."""
    wrong = []
    for mistake in mistakes:
        arguments, says = mistake.split(" -> ")
        status, out, err = called(*shlex.split(arguments))
        told = status if isinstance(status, str) else err.strip().splitlines()[-1]
        if says not in told or "\n" in told or out or list(folder.iterdir()):
            wrong.append((arguments, told, sorted(path.name for path in folder.iterdir())))
    return wrong


@pytest.mark.parametrize("command", ["evaluate", "replay", "play", "train", "exploit", "tournament"])
def test_mistakes_are_told_in_a_line_without_a_traceback(called, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mistakes = [line for line in MISTAKES.splitlines() if line.split(" ")[0] == command]
    assert mistakes and wrong_answers(called, tmp_path, mistakes) == []


@pytest.mark.parametrize("command", ["evaluate random", "tournament random random", "play", "train"])
def test_options_of_another_game_are_refused_in_one_line(called, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mistakes = [f"{command} --game roma {line}" for line in OF_ANOTHER_GAME.strip().splitlines()]
    assert wrong_answers(called, tmp_path, mistakes) == []
