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

    receive() external payable {}

    function act(address target, bytes calldata callData) external payable {
        (bool success, bytes memory data) = target.call{value: msg.value}(callData);
        if (success) return;
        assembly {
            revert(add(data, 32), mload(data))
        }
    }

    /// @notice Makes the calls one after the other and reverts as soon as a victim has lost anything.
    /// @param attempts The calls.
    /// @param victims Who is watched.
    /// @param tokens What of theirs is watched, token zero being the native asset.
    /// @return successes Which calls succeeded.
    function probe(
        Attempt[] calldata attempts,
        address[] calldata victims,
        address[] calldata tokens
    ) external payable returns (bool[] memory successes) {
        successes = new bool[](attempts.length);
        uint256[] memory held = _holdings(victims, tokens);
        for (uint256 i; i < attempts.length; ++i) {
            Attempt calldata attempt = attempts[i];
            (successes[i], ) = attempt.target.call{value: attempt.value, gas: 8_000_000}(attempt.callData);
            uint256[] memory now_ = _holdings(victims, tokens);
            for (uint256 j; j < now_.length; ++j)
                if (now_[j] < held[j])
                    revert Robbed(i, victims[j / tokens.length], tokens[j % tokens.length], held[j], now_[j]);
            held = now_;
        }
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
