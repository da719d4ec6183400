// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

interface IFlashPool {
    function flash(address recipient, uint256 amount0, uint256 amount1, bytes calldata data) external;
}

/// @title Makes a call while a Uniswap v3 pool is locked by a flash loan of nothing.
/// @dev For tests only.
contract FlashAttacker {
    /// @notice What came of the call.
    bool public isCallSuccessful;
    bytes public answer;

    function act(address target, bytes calldata callData) external {
        (isCallSuccessful, answer) = target.call(callData);
    }

    function attack(address pool, address target, bytes calldata callData) external payable {
        IFlashPool(pool).flash(address(this), 0, 0, abi.encode(target, callData));
    }

    function uniswapV3FlashCallback(uint256, uint256, bytes calldata data) external {
        (address target, bytes memory callData) = abi.decode(data, (address, bytes));
        (isCallSuccessful, answer) = target.call{value: address(this).balance}(callData);
    }
}
