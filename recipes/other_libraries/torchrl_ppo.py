"""TorchRL's PPOTrainer, with the defaults of the trainer, the loss and the layers.

Settings without a default are those of TorchRL's own example (sota-implementations/ppo_trainer): two layers of 128
units, batches of 1,024 decisions, minibatches of 64, Adam with learning rate 0.0003. Eight games are played at once.
"""

from __future__ import annotations

import logging
import time
import warnings
from pathlib import Path

import gymnasium
import torch
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.data import LazyTensorStorage, SamplerWithoutReplacement, TensorDictReplayBuffer
from torchrl.envs import ActionMask, DTypeCastTransform, GymWrapper
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.trainers.algorithms import PPOTrainer

from recipes.other_libraries.exported import write_policy
from romans_env import RomansGoHome

_BATCH = 1024


def trained(seconds: float, seed: int, folder: Path) -> int:
    """Train for a time in processor seconds, and write the policy into the folder; return the decisions made."""
    logging.getLogger("torchrl").setLevel(logging.WARNING)
    torch.manual_seed(seed)
    end = time.process_time() + seconds
    env = GymWrapper(gymnasium.make_vec("RomansGoHome-v0", num_envs=8), categorical_action_encoding=True)
    env.append_transform(DTypeCastTransform(torch.int8, torch.float32, in_keys=["observation"]))
    env.append_transform(DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))
    env.append_transform(ActionMask())
    env.set_seed(seed)
    size = len(RomansGoHome.observation_low)
    policy = MLP(in_features=size, out_features=RomansGoHome.num_actions, num_cells=[128, 128])
    value = MLP(in_features=size, out_features=1, num_cells=[128, 128])
    actor = ProbabilisticActor(
        TensorDictModule(policy, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    loss = ClipPPOLoss(actor, ValueOperator(value, in_keys=["observation"]))
    with warnings.catch_warnings(action="ignore"):  # the trainer is "experimental"
        trainer = PPOTrainer(
            collector=Collector(env, actor, frames_per_batch=_BATCH, total_frames=-1),
            total_frames=2**62,
            frame_skip=1,
            optim_steps_per_batch=None,
            loss_module=loss,
            optimizer=torch.optim.Adam(loss.parameters(), lr=3e-4),
            replay_buffer=TensorDictReplayBuffer(
                storage=LazyTensorStorage(_BATCH), sampler=SamplerWithoutReplacement(), batch_size=64
            ),
            progress_bar=False,
            enable_logging=False,
        )

        def stop_in_time(batch: TensorDictBase) -> None:
            if time.process_time() >= end:
                trainer.total_frames = trainer.collected_frames

        trainer.register_op("pre_steps_log", stop_in_time)
        trainer.train()
    write_policy(folder, [policy], [value], "torchrl")
    return int(trainer.collected_frames)
