"""Trains with Ray Train instead of torchrun: its workers are the processes of one run of ``romans train``.

    python examples/ray_data_parallel.py --folder runs/ray --processes 2 --steps 100000

Ray starts the processes on the machines of its cluster; the training run is the library's own. All machines must have
access to the run folder under the same path.
"""

import argparse

from ray.train import ScalingConfig
from ray.train.torch import TorchTrainer


def train(settings):
    """Run one of the processes of the training run: the function of each worker."""
    from romans_training.learn import trainer
    from romans_training.learn.config import TrainConfig
    from romans_training.learn.run_folder import RunFolder

    folder = RunFolder(settings.pop("folder"))
    trainer.train(TrainConfig(**settings), folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", default="runs/ray", help="folder of the run")
    parser.add_argument("--processes", type=int, default=2, help="workers, one processor core each")
    parser.add_argument("--steps", type=int, default=1_000_000, help="decisions of the learner in all")
    arguments = parser.parse_args()
    TorchTrainer(
        train, train_loop_config=vars(arguments), scaling_config=ScalingConfig(num_workers=arguments.processes)
    ).fit()


if __name__ == "__main__":
    main()
