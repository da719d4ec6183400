// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @title The GasPriceOracle of an OP-stack chain since Ecotone, with a fixed price of the gas of data.
contract GasPriceOracle {
    /// @notice Wei per unit of gas that data uses as calldata, EIP-2028.
    uint256 public constant DATA_PRICE = 15 gwei;

    /// @notice What an unsigned transaction costs for its data; its signature counts as 68 bytes that are not zero.
    function getL1Fee(bytes calldata data) external pure returns (uint256) {
        uint256 gas = 68 * 16;
        for (uint256 i = 0; i < data.length; i++) gas += data[i] == 0 ? 4 : 16;
        return gas * DATA_PRICE;
    }
}
