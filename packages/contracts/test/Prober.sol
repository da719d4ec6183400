// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Makes many calls in one, and watches what others hold.
/// @dev For tests only.
contract Prober {
    /// @notice One call. `value` is native value.
    struct Attempt {
        address target;
        uint256 value;
        bytes callData;
    }

    /// @notice A call after which somebody who is watched held less than before.
    error Robbed(uint256 attempt, address victim, address token, uint256 before, uint256 afterwards);

    /// @notice A call after which a contract that keeps nothing held something.
    error Kept(uint256 attempt, address token, uint256 amount);

    receive() external payable {}

    function act(address target, bytes calldata callData) external payable {
        (bool success, bytes memory data) = target.call{value: msg.value}(callData);
        if (success) return;
        assembly {
            revert(add(data, 32), mload(data))
        }
    }

    /// @notice Makes the calls one after the other and reverts as soon as a victim has lost anything, or something has
    /// stayed where nothing may.
    /// @param attempts The calls.
    /// @param hollow Who may hold nothing.
    /// @param victims Who is watched.
    /// @param tokens What of theirs is watched, token zero being the native asset.
    /// @return successes Which calls succeeded.
    function probe(
        Attempt[] calldata attempts,
        address[] calldata hollow,
        address[] calldata victims,
        address[] calldata tokens
    ) external payable returns (bool[] memory successes) {
        successes = new bool[](attempts.length);
        uint256[] memory held = _holdings(victims, tokens);
        for (uint256 i; i < attempts.length; ++i) {
            Attempt calldata attempt = attempts[i];
            (successes[i], ) = attempt.target.call{value: attempt.value, gas: 8_000_000}(attempt.callData);
            _requireEmpty(i, _holdings(hollow, tokens), tokens);
            held = _requireSafe(i, held, _holdings(victims, tokens), victims, tokens);
        }
    }

    function _requireEmpty(uint256 attempt, uint256[] memory held, address[] calldata tokens) private pure {
        for (uint256 i; i < held.length; ++i)
            if (held[i] != 0) revert Kept(attempt, tokens[i % tokens.length], held[i]);
    }

    function _requireSafe(
        uint256 attempt,
        uint256[] memory before,
        uint256[] memory afterwards,
        address[] calldata victims,
        address[] calldata tokens
    ) private pure returns (uint256[] memory) {
        for (uint256 i; i < before.length; ++i)
            if (afterwards[i] < before[i])
                revert Robbed(
                    attempt,
                    victims[i / tokens.length],
                    tokens[i % tokens.length],
                    before[i],
                    afterwards[i]
                );
        return afterwards;
    }

    function _holdings(
        address[] calldata victims,
        address[] calldata tokens
    ) private view returns (uint256[] memory held) {
        held = new uint256[](victims.length * tokens.length);
        for (uint256 i; i < held.length; ++i) {
            address victim = victims[i / tokens.length];
            address token = tokens[i % tokens.length];
            held[i] = token == address(0) ? victim.balance : IERC20(token).balanceOf(victim);
        }
    }
}
