// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

// The two functions of Uniswap v3's SwapRouter that are called here, by the names and types that it gives them.

/// @title Swaps along a path of Uniswap v3 pools.
interface ISwapRouter {
    struct ExactInputParams {
        /// @dev Token, fee in hundredths of a basis point, token, and so on: 20, 3, 20, ... bytes.
        bytes path;
        address recipient;
        uint256 deadline;
        uint256 amountIn;
        uint256 amountOutMinimum;
    }

    /// @notice Swaps `amountIn` of the path's first token into as much as possible of its last, and reverts below
    /// `amountOutMinimum`. Takes the input from the caller, or, where it is the wrapped native asset and the router
    /// holds enough native value, from that. A pool that runs dry takes less input.
    /// @param params The swap.
    /// @return amountOut What the recipient got.
    function exactInput(ExactInputParams calldata params) external payable returns (uint256 amountOut);

    /// @notice The wrapped native asset.
    /// @return The ERC-20.
    function WETH9() external view returns (address);
}
