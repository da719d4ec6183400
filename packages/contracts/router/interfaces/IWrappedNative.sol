// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @title The part of WETH9 that wraps and unwraps.
interface IWrappedNative {
    /// @notice Gives the caller as many tokens as it sent native value.
    function deposit() external payable;

    /// @notice Takes tokens of the caller and sends it as much native value.
    /// @param amount The amount in wei.
    function withdraw(uint256 amount) external;
}
