#!/usr/bin/env bash
# Trains a network for Struggle for Rome and one for Roma side by side on a GPU, for at most nine minutes, and measures them afterwards on
# processors; it has not run on a card yet.
#
#     recipes/on_a_gpu.sh train [OPTION ...]   # options of `romans train`, for both; once more goes on, to the MINUTES given then
#     recipes/on_a_gpu.sh evaluate
#
# DEVICE=cuda, MINUTES=7 (of training, in all), LIMIT=480 (seconds, after which it has 60 to save checkpoints), FOLDER=runs/on-a-gpu, DEALS=100,
# STRUGGLE_FROM=a policy of 512 x 512 to start from, such as an imitation.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${DEVICE:=cuda}" "${MINUTES:=7}" "${LIMIT:=480}" "${FOLDER:=runs/on-a-gpu}" "${DEALS:=100}" "${STRUGGLE_FROM:=}"

train() {
    local game settings running=() failed=0
    mkdir -p "$FOLDER"
    for game in struggle roma; do
        settings=(--config "$here/on_a_gpu/$game.toml" --game "$game" --device "$DEVICE" "$@")
        if [[ $game == struggle && -n $STRUGGLE_FROM ]]; then settings+=(--start-from "$STRUGGLE_FROM"); fi
        if [[ -e $FOLDER/$game/config.json ]]; then settings=(--resume); fi
        # At the limit it gets SIGTERM, on which it saves a checkpoint after its rollout.
        timeout --kill-after=60 "$LIMIT" romans train --folder "$FOLDER/$game" --minutes "$MINUTES" "${settings[@]}" \
            >>"$FOLDER/$game.log" 2>&1 &
        running+=($!)
    done
    for pid in "${running[@]}"; do
        local status=0
        wait "$pid" || status=$?
        if ((status != 0 && status != 124)); then failed=$status; fi
    done
    tail -n 3 "$FOLDER"/*.log
    return "$failed"
}

evaluate() {
    local game opponent opponents
    for game in struggle roma; do
        [[ $game == struggle ]] && opponents=(trader) || opponents=(expectimax quaestor)
        for opponent in "${opponents[@]}"; do
            romans evaluate "policy:$FOLDER/$game/policy.npz,sample=false" --game "$game" --against "$opponent" --deals "$DEALS" \
                --json "$FOLDER/$game-against-$opponent.json"
        done
    done
}

case ${1:-} in
train) shift && train "$@" ;;
evaluate) evaluate ;;
*) echo "usage: $0 train [OPTION ...] | evaluate" >&2 && exit 2 ;;
esac
