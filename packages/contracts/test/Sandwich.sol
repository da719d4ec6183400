// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

interface IPricePool {
    function token0() external view returns (address);

    function token1() external view returns (address);

    function swap(
        address recipient,
        bool zeroForOne,
        int256 amountSpecified,
        uint160 sqrtPriceLimitX96,
        bytes calldata data
    ) external returns (int256 amount0, int256 amount1);
}

interface IPricedToken {
    function transfer(address to, uint256 amount) external returns (bool);
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
        IPricedToken(token).transfer(msg.sender, uint256(owed));
    }
}
