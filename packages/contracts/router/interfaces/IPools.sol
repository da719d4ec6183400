// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

// The functions of Uniswap v3 that are called here; PancakeSwap v3 has the same ones.

/// @title The registry of an exchange's pools.
interface IPoolRegistry {
    /// @notice The pool of two tokens and a fee.
    /// @param tokenA One token.
    /// @param tokenB The other token.
    /// @param fee The fee in hundredths of a basis point.
    /// @return The pool; zero when there is none.
    function getPool(address tokenA, address tokenB, uint24 fee) external view returns (address);
}

/// @title A pool.
interface IPool {
    /// @notice Sends the output to the recipient, and asks the caller for the input by a callback.
    /// @param recipient Who gets the output.
    /// @param zeroForOne Whether the input is the token with the lower address.
    /// @param amountSpecified The input, if positive.
    /// @param sqrtPriceLimitX96 The price at which the swap stops.
    /// @param data What the callback is told.
    /// @return amount0 What the pool gained of the lower token.
    /// @return amount1 What the pool gained of the higher token.
    function swap(
        address recipient,
        bool zeroForOne,
        int256 amountSpecified,
        uint160 sqrtPriceLimitX96,
        bytes calldata data
    ) external returns (int256 amount0, int256 amount1);
}
