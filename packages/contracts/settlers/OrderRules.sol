// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {isFolded} from "../factory/ChainName.sol";
import {thresholdOf, WrongAttesters} from "./Attesters.sol";
import {InvalidAccount, isEvm, Order} from "./Order.sol";

// The rules of an order that hold on its origin and on its destination alike.

/// @notice Deadlines out of order, no time for the proof, or a longer escrow than this chain allows.
error WrongDeadlines();
/// @notice A chain name that no proof of this order can come from.
error WrongName(bytes32 name);
/// @notice Accounts of other kinds than their chains have.
error WrongAccountKinds(bytes5 accountKinds);
/// @notice An order that moves nothing.
error ZeroAmount();

/// @dev The bytes of depositor, solver and integrator, and those of recipient and filler, in the kinds.
uint40 constant ORIGIN_KINDS = 0xff00ff00ff;
uint40 constant DESTINATION_KINDS = 0x00ff00ff00;
/// @dev The kind of an EVM account, for each.
uint40 constant EVM_KINDS = 0x0101010101;

/// @notice Reverts unless an order's terms fit each other. Reads every field that has upper bits but the accounts.
/// @param order The order.
function requireSound(Order calldata order) pure {
    if (order.outputAmount == 0) revert ZeroAmount();
    (uint32 fillDeadline, uint32 exclusiveUntil) = (order.fillDeadline, order.exclusiveUntil);
    if (order.openDeadline > fillDeadline || exclusiveUntil > fillDeadline || fillDeadline >= order.refundAfter)
        revert WrongDeadlines();
    (bool isFromEvm, bool isToEvm) = (isEvm(order.originChainId), isEvm(order.destinationChainId));
    _requireKinds(order, isFromEvm, isToEvm);
    bytes32 attesters = order.attesters;
    if (isFromEvm && isToEvm) {
        if (attesters != 0) revert WrongAttesters(attesters);
        bytes32 name = order.destinationName;
        if (bytes20(name) != name || !isFolded(name)) revert WrongName(name);
        return;
    }
    if (order.destinationName != 0) revert WrongName(order.destinationName);
    uint256 threshold = thresholdOf(attesters);
    // One attester alone could name itself as a stranger that is repaid.
    if (threshold == 0 || (threshold == 1 && exclusiveUntil != fillDeadline)) revert WrongAttesters(attesters);
}

/// @dev What stands on an EVM chain is an EVM account, without a tag; ledgers check their own.
function _requireKinds(Order calldata order, bool isFromEvm, bool isToEvm) pure {
    uint40 kinds = uint40(order.accountKinds);
    uint40 expected = order.integrator == 0 ? EVM_KINDS - 1 : EVM_KINDS;
    uint40 mask = (isFromEvm ? ORIGIN_KINDS : 0) | (isToEvm ? DESTINATION_KINDS : 0);
    if (kinds & mask != expected & mask) revert WrongAccountKinds(order.accountKinds);
    if (order.recipientTag != 0 && isToEvm) revert InvalidAccount(bytes32(uint256(order.recipientTag)));
}
