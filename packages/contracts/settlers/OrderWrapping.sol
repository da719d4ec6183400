// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Order, ORDER_LENGTH, ORDER_TYPEHASH, orderIdOf, toAddress, toWord} from "./Order.sol";
import {
    FillInstruction,
    GaslessCrossChainOrder,
    OnchainCrossChainOrder,
    Output,
    ResolvedCrossChainOrder
} from "./interfaces/IERC7683.sol";
import {ISettler} from "./interfaces/ISettler.sol";

/// @title Orders as ERC-7683 wraps, resolves and announces them.
abstract contract OrderWrapping is ISettler {
    /// @notice Puts an order into the terms every filler understands; says nothing about its status.
    /// @param wrapped The order as ERC-7683 wraps it.
    /// @return The resolved order, as `Open` announces it.
    function resolve(OnchainCrossChainOrder calldata wrapped) external pure returns (ResolvedCrossChainOrder memory) {
        return _resolve(_unwrap(wrapped), wrapped.orderData);
    }

    /// @notice As `resolve`, for an order that `openFor` opens.
    /// @param wrapped The order as ERC-7683 wraps it.
    /// @return The resolved order, as `Open` announces it.
    function resolveFor(
        GaslessCrossChainOrder calldata wrapped,
        bytes calldata
    ) external view returns (ResolvedCrossChainOrder memory) {
        return _resolve(_unwrapGasless(wrapped), wrapped.orderData);
    }

    /// @dev The order in ERC-7683's wrapper. Reverts for another type, or when the wrapper differs from the order.
    function _unwrap(OnchainCrossChainOrder calldata wrapped) internal pure returns (Order calldata order) {
        order = _decodeTyped(wrapped.orderDataType, wrapped.orderData);
        if (wrapped.fillDeadline != order.fillDeadline) revert WrongWrapper();
    }

    /// @dev The order in ERC-7683's gasless wrapper, whose fields must be the order's; the nonce is its salt.
    function _unwrapGasless(GaslessCrossChainOrder calldata wrapped) internal view returns (Order calldata order) {
        order = _decodeTyped(wrapped.orderDataType, wrapped.orderData);
        if (
            wrapped.originSettler != address(this) ||
            toWord(wrapped.user) != order.depositor ||
            bytes32(wrapped.nonce) != order.salt ||
            wrapped.originChainId != order.originChainId ||
            wrapped.openDeadline != order.openDeadline ||
            wrapped.fillDeadline != order.fillDeadline
        ) revert WrongWrapper();
    }

    /// @dev An order as it lies in calldata. Reverts for another length.
    function _decode(bytes calldata encoded) internal pure returns (Order calldata order) {
        if (encoded.length != ORDER_LENGTH) revert WrongOrderLength(encoded.length);
        assembly ("memory-safe") {
            order := encoded.offset
        }
    }

    /// @dev Emits what `emit Open(orderId, _resolve(order))` would, byte for byte, for 6,500 gas less. All fields are
    /// clean, because opening has read them.
    function _announce(bytes32 orderId, Order calldata order) internal {
        bytes32 topic = Open.selector;
        assembly ("memory-safe") {
            let data := mload(0x40)
            let originChainId := calldataload(add(order, 0x20))
            let destinationChainId := calldataload(add(order, 0xc0))
            mstore(data, 0x20)
            mstore(add(data, 0x20), calldataload(add(order, 0x60))) // user
            mstore(add(data, 0x40), originChainId)
            mstore(add(data, 0x60), calldataload(add(order, 0x200))) // openDeadline
            mstore(add(data, 0x80), calldataload(add(order, 0x240))) // fillDeadline
            mstore(add(data, 0xa0), orderId)
            mstore(add(data, 0xc0), 0x100) // offset of maxSpent
            mstore(add(data, 0xe0), 0x1a0) // offset of minReceived
            mstore(add(data, 0x100), 0x240) // offset of fillInstructions
            mstore(add(data, 0x120), 1)
            mstore(add(data, 0x140), calldataload(add(order, 0x120))) // outputToken
            mstore(add(data, 0x160), calldataload(add(order, 0x140))) // outputAmount
            mstore(add(data, 0x180), calldataload(add(order, 0x160))) // recipient
            mstore(add(data, 0x1a0), destinationChainId)
            mstore(add(data, 0x1c0), 1)
            mstore(add(data, 0x1e0), calldataload(add(order, 0x80))) // inputToken
            // inputAmount less integratorFee
            mstore(add(data, 0x200), sub(calldataload(add(order, 0xa0)), calldataload(add(order, 0x2c0))))
            mstore(add(data, 0x220), calldataload(add(order, 0x1a0))) // solver
            mstore(add(data, 0x240), originChainId)
            mstore(add(data, 0x260), 1)
            mstore(add(data, 0x280), 0x20)
            mstore(add(data, 0x2a0), destinationChainId)
            mstore(add(data, 0x2c0), calldataload(add(order, 0x100))) // destinationSettler
            mstore(add(data, 0x2e0), 0x60)
            mstore(add(data, 0x300), 0x2e0) // length of originData
            calldatacopy(add(data, 0x320), order, 0x2e0)
            log2(data, 0x600, topic, orderId)
        }
    }

    /// @dev The order in ERC-7683's data. Reverts for another type.
    function _decodeTyped(bytes32 orderDataType, bytes calldata orderData) private pure returns (Order calldata) {
        if (orderDataType != ORDER_TYPEHASH) revert WrongOrderType(orderDataType);
        return _decode(orderData);
    }

    /// @dev What an order asks and gives, as ERC-7683 describes it.
    function _resolve(
        Order calldata order,
        bytes calldata originData
    ) private pure returns (ResolvedCrossChainOrder memory resolved) {
        resolved.user = toAddress(order.depositor);
        resolved.originChainId = order.originChainId;
        resolved.openDeadline = order.openDeadline;
        resolved.fillDeadline = order.fillDeadline;
        resolved.orderId = orderIdOf(order);
        resolved.maxSpent = new Output[](1);
        resolved.maxSpent[0] = Output(
            order.outputToken,
            order.outputAmount,
            order.recipient,
            order.destinationChainId
        );
        resolved.minReceived = new Output[](1);
        resolved.minReceived[0] = Output(
            order.inputToken,
            order.inputAmount - order.integratorFee,
            order.solver,
            order.originChainId
        );
        resolved.fillInstructions = new FillInstruction[](1);
        resolved.fillInstructions[0] = FillInstruction({
            destinationChainId: order.destinationChainId,
            destinationSettler: order.destinationSettler,
            originData: originData
        });
    }
}
