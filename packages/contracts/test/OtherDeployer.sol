// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @title Answers as Axelar's ConstAddressDeployer, on a chain that gives contracts addresses of its own.
/// @dev For tests only.
contract OtherDeployer {
    function deploy(bytes memory bytecode, bytes32) external payable returns (address deployed) {
        assembly ("memory-safe") {
            deployed := create(0, add(bytecode, 32), mload(bytecode))
        }
    }
}
