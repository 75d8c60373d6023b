"""Other formats of a policy: an ONNX model for other runtimes, and JSON for programs without numpy or ONNX."""

from __future__ import annotations

import json
from typing import Any, cast

import numpy as np

import romans_env
from romans_agents.policies.policy_file import Array, Layers, PolicyFileError, PolicyParts, checked_parts, rules_for
from romans_env.core.files import json_of
from romans_env.errors import in_one_line, needs_extra, shortened

JSON_FORMAT = "romans-policy-json/1"
_OPSET, _IR_VERSION = 17, 8
"""Versions of ONNX that runtimes have supported since 2022."""
_NETWORKS = {"policy": "pi", "value": "vf"}


def onnx_of(policy: PolicyParts) -> bytes:
    """Return the policy as a serialised ONNX model; `romans_agents.Policy.to_onnx` describes its inputs and outputs.

    Raises:
        ModuleNotFoundError: if the package ``onnx`` is not installed; the message says how to install it.
    """
    with needs_extra("an ONNX model", "onnx"):
        from onnx import checker, helper, numpy_helper, parser
    nodes = ["numbers = Cast <to = 1> (observation)", "scaled = Mul (numbers, scale)"]
    constants = {
        "scale": policy.scale,
        "impossible": np.array(-np.inf, dtype=np.float32),
        "columns": np.ones(1, dtype=np.int64),
    }
    activation = {"relu": "Relu", "tanh": "Tanh"}[policy.meta["activation"]]
    for network, layers in (("pi", policy.pi), ("vf", policy.vf)):
        entering = "scaled"
        for k, (weight, bias) in enumerate(layers):
            name = f"{network}_{k}"
            constants |= {f"{name}_weight": weight, f"{name}_bias": bias}
            nodes.append(f"{name} = Gemm <transB = 1> ({entering}, {name}_weight, {name}_bias)")
            entering = f"{name}_active"
            if k < len(layers) - 1:
                nodes.append(f"{entering} = {activation} ({name})")
    nodes += [
        f"logits = Identity (pi_{len(policy.pi) - 1})",
        "is_legal = Cast <to = 9> (action_mask)",
        "masked = Where (is_legal, logits, impossible)",
        "probabilities = Softmax <axis = 1> (masked)",
        f"values = Squeeze (vf_{len(policy.vf) - 1}, columns)",
    ]
    rules, of_actions = rules_for(policy.meta), f"[n, {policy.pi[-1][1].size}]"
    kind = helper.tensor_dtype_to_string(helper.np_dtype_to_tensor_dtype(rules.observation_low.dtype)).split(".")[1]
    versions = f'ir_version: {_IR_VERSION}, opset_import: ["": {_OPSET}]'
    producer = f'producer_name: "romans-env", producer_version: "{romans_env.__version__}"'
    entries = f"{kind.lower()}[n, {policy.scale.size}] observation, int8{of_actions} action_mask"
    results = f"float{of_actions} logits, float{of_actions} probabilities, float[n] values"
    body = "\n".join(nodes)
    model = parser.parse_model(f"<{versions}, {producer}>\npolicy ({entries}) => ({results}) {{\n{body}\n}}")
    model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in constants.items())
    helper.set_model_props(model, {"meta": json.dumps(policy.meta), "actions": json.dumps(list(rules.action_names))})
    checker.check_model(model, full_check=True)
    return bytes(model.SerializeToString())


def json_text_of(policy: PolicyParts) -> str:
    """Return the policy as JSON, in the format that `romans_agents.Policy.to_json` describes."""
    parts = [f'"format": "{JSON_FORMAT}"', f'"meta": {json.dumps(policy.meta)}', f'"scale": {_numbers(policy.scale)}']
    for name, network in _NETWORKS.items():
        layers = [
            f'{{"weight": [{", ".join(map(_numbers, weight))}], "bias": {_numbers(bias)}}}'
            for weight, bias in getattr(policy, network)
        ]
        parts.append(f'"{name}": [{", ".join(layers)}]')
    return "{" + ",\n".join(parts) + "}\n"


def parts_of_json(text: str) -> PolicyParts:
    """Read the parts of a policy from its JSON.

    Raises:
        PolicyFileError: if the text is not JSON in this form, or the policy does not fit its game.
    """
    try:
        found = json_of(text)
        if not isinstance(found, dict) or found.get("format") != JSON_FORMAT:
            given = found.get("format") if isinstance(found, dict) else found
            raise ValueError(f"its format is {shortened(given)}, not {JSON_FORMAT!r}")
        layers = {network: _layers(found.get(name), name) for name, network in _NETWORKS.items()}
        return checked_parts(
            PolicyParts(**layers, scale=_array(found.get("scale"), 1, "scale"), meta=cast(Any, found.get("meta")))
        )
    except ValueError as error:
        raise PolicyFileError(f"this is not the JSON of a policy: {in_one_line(error)}") from None


def _numbers(array: Array) -> str:
    # astype(str) gives the shortest decimals that read back as the same float32.
    return "[" + ", ".join(array.astype(str).tolist()) + "]"


def _layers(found: Any, name: str) -> Layers:
    if not isinstance(found, list) or not found or not all(isinstance(layer, dict) for layer in found):
        raise ValueError(f"its {name} is not a list of layers")
    return [(_array(layer.get("weight"), 2, name), _array(layer.get("bias"), 1, name)) for layer in found]


def _array(found: Any, dimensions: int, name: str) -> Array:
    try:
        array = np.asarray(found, dtype=np.float32)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"its {name} has a value that is not an array of numbers") from None
    if array.ndim != dimensions or not array.size or not np.isfinite(array).all():
        raise ValueError(f"its {name} has an array of {array.ndim} dimensions, or numbers that are not finite")
    return array
