"""Trains a language model on Romans Go Home! with TRL's GRPO; as it stands, a tiny one with random weights.

pip install "romans-env[trl]"
python examples/trl_grpo.py --steps 2                                    # a processor, a minute, nothing downloaded
python examples/trl_grpo.py --steps 500 --model Qwen/Qwen3-1.7B --tokens 8192    # a GPU

Both completions of a prompt are games of the same deal against the same draws of the rival; the reward is the return.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import click
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import AutoTokenizer, PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig, GRPOTrainer, chat_template_utils

from romans_agents.text_env import make_text_env, tasks

ENDS = "<|im_start|>", "<|im_end|>", "<|endoftext|>"


def tiny_model() -> tuple[Any, Any]:
    """A model of some thousand random weights that reads and writes bytes."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    bytes_ = Tokenizer(models.BPE({letter: k for k, letter in enumerate(letters)}, []))
    bytes_.pre_tokenizer, bytes_.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=bytes_, eos_token=ENDS[1], pad_token=ENDS[2])
    tokenizer.add_special_tokens({"additional_special_tokens": [ENDS[0]]})
    tokenizer.chat_template = chat_template_utils.qwen3_chat_template
    sizes: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "head_dim": 16}
    config = Qwen3Config(vocab_size=len(tokenizer), num_attention_heads=2, num_key_value_heads=2, **sizes)
    return Qwen3ForCausalLM(config), tokenizer


@click.command()
@click.option("--steps", default=2, show_default=True)
@click.option("--model", "name", help="Name or folder of a model.  [default: a tiny one with random weights]")
@click.option("--against", default="greedy", show_default=True, help="Agent spec of the rival.")
@click.option("--tokens", default=256, show_default=True, help="Tokens of a game, tool calls and answers together.")
@click.option("--folder", default="runs/grpo", show_default=True)
def main(steps: int, name: str | None, against: str, tokens: int, folder: str) -> None:
    """Train, and write the model into the folder."""
    model, tokenizer = tiny_model() if name is None else (name, AutoTokenizer.from_pretrained(name))
    trainer = GRPOTrainer(
        model,
        args=GRPOConfig(
            output_dir=folder,
            max_steps=steps,
            max_completion_length=tokens,
            num_generations=2,
            report_to="none",
            per_device_train_batch_size=2,
            logging_steps=1,
            use_cpu=name is None,
            bf16=name is not None,
        ),
        train_dataset=Dataset.from_list(tasks("romans-go-home", num_deals=1000)),
        processing_class=tokenizer,
        environment_factory=partial(make_text_env, "romans-go-home", against=against),
    )
    trainer.train()
    trainer.save_model(folder)


if __name__ == "__main__":
    main()
