// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @title The GasPriceOracle of an OP-stack chain since Jovian, with a fixed price of the gas of data and a fixed operator fee.
contract GasPriceOracle {
    /// @notice Wei per unit of gas that data uses as calldata, EIP-2028.
    uint256 public constant DATA_PRICE = 15 gwei;

    /// @notice What the operator charges: for each unit of gas, in hundreds of wei, and for each transaction.
    uint256 public constant OPERATOR_SCALAR = 2_000_000;
    uint256 public constant OPERATOR_CONSTANT = 3_000 gwei;

    /// @notice What the operator charges for so much gas.
    function getOperatorFee(uint256 gasUsed) external pure returns (uint256) {
        return gasUsed * OPERATOR_SCALAR * 100 + OPERATOR_CONSTANT;
    }

    /// @notice What an unsigned transaction costs for its data; its signature counts as 68 bytes that are not zero.
    function getL1Fee(bytes calldata data) external pure returns (uint256) {
        uint256 gas = 68 * 16;
        for (uint256 i = 0; i < data.length; i++) gas += data[i] == 0 ? 4 : 16;
        return gas * DATA_PRICE;
    }
}
