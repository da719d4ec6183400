// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPool} from "../router/interfaces/IPools.sol";

interface IPricePool is IPool {
    function token0() external view returns (address);

    function token1() external view returns (address);
}

/// @title Moves the price of a Uniswap v3 pool before a call, and back after it, in one transaction.
/// @dev For tests only.
contract Sandwich {
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    function sandwich(address pool, address input, uint256 amount, address target, bytes calldata callData) external {
        bool zeroForOne = IPricePool(pool).token0() == input;
        uint256 bought = trade(pool, zeroForOne, amount);
        (bool success, bytes memory answer) = target.call(callData);
        if (!success)
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        trade(pool, !zeroForOne, bought);
    }

    function trade(address pool, bool zeroForOne, uint256 amount) public returns (uint256 output) {
        (int256 amount0, int256 amount1) = IPricePool(pool).swap(
            address(this),
            zeroForOne,
            int256(amount),
            zeroForOne ? LOWEST : HIGHEST,
            ""
        );
        return uint256(-(zeroForOne ? amount1 : amount0));
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external {
        (address token, int256 owed) = amount0 > 0
            ? (IPricePool(msg.sender).token0(), amount0)
            : (IPricePool(msg.sender).token1(), amount1);
        IERC20(token).transfer(msg.sender, uint256(owed));
    }
}
