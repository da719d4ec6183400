// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {AttestedOrder, attestedOrderId, fillDigest} from "./AttestedOrder.sol";
import {IAttestedSettler, OrderStatus} from "./interfaces/IAttestedSettler.sol";
import {Payments} from "./Payments.sol";

/// @title Escrows intents that are filled on a chain without an EVM, and delivers intents that come from one.
/// @notice An order from here runs `open` and its release, against a signature of the attester that its depositor
/// named by opening it; or `decline` or `refund`. An order to here runs `fill` alone: its escrow is kept elsewhere.
/// There is no owner, no pause and no upgrade: escrowed value leaves only to the order's solver or to its depositor.
/// @dev One status slot per order serves both roles, because no order has the same origin and destination.
contract AttestedSettler is IAttestedSettler, Payments {
    /// @notice How far ahead of the opening an order's `refundAfter` may lie, in seconds.
    uint256 public constant MAXIMUM_ESCROW_SECONDS = 30 days;

    /// @notice This chain as orders name it: the Keccak-256 hash of its CAIP-2 identifier.
    bytes32 public immutable chain;
    /// @notice How long, at least, an order waits for its attestation between its fill deadline and its refund.
    uint32 public immutable attestationWindowSeconds;

    mapping(bytes32 orderId => OrderStatus) private _statuses;

    /// @param attestationWindowSeconds_ How long an attestation may take; not zero.
    constructor(uint32 attestationWindowSeconds_) {
        if (attestationWindowSeconds_ == 0) revert InvalidWindow();
        attestationWindowSeconds = attestationWindowSeconds_;
        chain = keccak256(bytes.concat("eip155:", _toDecimal(block.chainid)));
    }

    /// @inheritdoc IAttestedSettler
    function statusOf(bytes32 orderId) external view returns (OrderStatus) {
        return _statuses[orderId];
    }

    /// @inheritdoc IAttestedSettler
    function orderIdOf(AttestedOrder calldata order) external pure returns (bytes32) {
        return attestedOrderId(order);
    }

    /// @inheritdoc IAttestedSettler
    function fillDigestOf(bytes32 orderId, bytes32 transaction) external view returns (bytes32) {
        return fillDigest(address(this), orderId, transaction);
    }

    /// @inheritdoc IAttestedSettler
    function open(AttestedOrder calldata order) external payable nonReentrant {
        _requireOpenable(order);
        bytes32 orderId = attestedOrderId(order);
        _move(orderId, OrderStatus.None, OrderStatus.Open);
        _collect(_toAddress(order.inputToken), address(this), order.inputAmount);
        emit Open(orderId, order);
    }

    /// @inheritdoc IAttestedSettler
    function release(AttestedOrder calldata order, bytes32 transaction, bytes calldata signature) external nonReentrant {
        bytes32 orderId = attestedOrderId(order);
        _move(orderId, OrderStatus.Open, OrderStatus.Released);
        address signer = ECDSA.recover(fillDigest(address(this), orderId, transaction), signature);
        if (signer != order.attester) revert NotAttester(signer, order.attester);
        emit Attested(orderId, transaction);
        (address token, address solver) = (_toAddress(order.inputToken), _toAddress(order.solver));
        if (_payOrCredit(token, solver, order.inputAmount)) emit Released(orderId, solver, token, order.inputAmount);
        else emit ReleaseCredited(orderId, solver, token, order.inputAmount);
    }

    /// @inheritdoc IAttestedSettler
    function fill(AttestedOrder calldata order) external payable nonReentrant {
        (address filler, address recipient) = (_toAddress(order.filler), _toAddress(order.recipient));
        if (msg.sender != filler) revert NotFiller(msg.sender, filler);
        if (block.timestamp > order.fillDeadline) revert FillDeadlinePassed(order.fillDeadline);
        if (!_isHere(order.destinationChain, order.destinationSettler))
            revert WrongDestination(order.destinationChain, order.destinationSettler);
        if (order.originChain == chain) revert WrongOrigin(order.originChain, order.originSettler);
        if (order.outputAmount == 0) revert ZeroAmount();
        if (order.recipientTag != 0) revert InvalidTag(order.recipientTag);
        // Value paid to the settler itself would be lost, and a filler's payment to itself cannot be measured.
        if (recipient == address(0) || recipient == address(this) || recipient == filler)
            revert InvalidParty(order.recipient);
        bytes32 orderId = attestedOrderId(order);
        _move(orderId, OrderStatus.None, OrderStatus.Filled);
        address token = _toAddress(order.outputToken);
        _collect(token, recipient, order.outputAmount);
        emit Filled(orderId, filler, recipient, token, order.outputAmount);
    }

    /// @inheritdoc IAttestedSettler
    function decline(AttestedOrder calldata order) external nonReentrant {
        address solver = _toAddress(order.solver);
        if (msg.sender != solver) revert NotSolver(msg.sender, solver);
        bytes32 orderId = attestedOrderId(order);
        emit Declined(orderId, solver);
        _refund(orderId, order);
    }

    /// @inheritdoc IAttestedSettler
    function refund(AttestedOrder calldata order) external nonReentrant {
        if (block.timestamp <= order.refundAfter) revert RefundTooEarly(order.refundAfter);
        _refund(attestedOrderId(order), order);
    }

    function _refund(bytes32 orderId, AttestedOrder calldata order) private {
        _move(orderId, OrderStatus.Open, OrderStatus.Refunded);
        (address token, address depositor) = (_toAddress(order.inputToken), _toAddress(order.depositor));
        if (_payOrCredit(token, depositor, order.inputAmount))
            emit Refunded(orderId, depositor, token, order.inputAmount);
        else emit RefundCredited(orderId, depositor, token, order.inputAmount);
    }

    function _move(bytes32 orderId, OrderStatus from, OrderStatus to) private {
        if (_statuses[orderId] != from) revert WrongStatus(orderId, _statuses[orderId]);
        _statuses[orderId] = to;
    }

    function _isHere(bytes32 chain_, bytes32 settler) private view returns (bool) {
        return chain_ == chain && settler == _toBytes32(address(this));
    }

    function _requireOpenable(AttestedOrder calldata order) private view {
        address depositor = _toAddress(order.depositor);
        if (msg.sender != depositor) revert NotDepositor(msg.sender, depositor);
        if (block.timestamp > order.openDeadline) revert OpenDeadlinePassed(order.openDeadline);
        if (!_isHere(order.originChain, order.originSettler))
            revert WrongOrigin(order.originChain, order.originSettler);
        if (order.destinationChain == chain || order.destinationChain == 0 || order.destinationSettler == 0)
            revert WrongDestination(order.destinationChain, order.destinationSettler);
        if (!_areDeadlinesSane(order))
            revert WrongDeadlines(order.openDeadline, order.fillDeadline, order.refundAfter);
        if (order.inputAmount == 0 || order.outputAmount == 0) revert ZeroAmount();
        _requireParties(order);
    }

    /// @dev Value paid to a settler itself would be lost, and a filler that is the recipient delivers nothing.
    function _requireParties(AttestedOrder calldata order) private view {
        address solver = _toAddress(order.solver);
        if (solver == address(0) || solver == address(this)) revert InvalidParty(order.solver);
        if (order.filler == 0 || order.filler == order.recipient) revert InvalidParty(order.filler);
        if (order.recipient == 0 || order.recipient == order.destinationSettler) revert InvalidParty(order.recipient);
        if (order.attester == address(0)) revert InvalidParty(0);
    }

    function _areDeadlinesSane(AttestedOrder calldata order) private view returns (bool) {
        return
            order.openDeadline <= order.fillDeadline &&
            order.refundAfter >= uint256(order.fillDeadline) + attestationWindowSeconds &&
            order.refundAfter <= block.timestamp + MAXIMUM_ESCROW_SECONDS;
    }

    /// @dev OpenZeppelin's own needs an instruction that not every chain has.
    function _toDecimal(uint256 value) private pure returns (bytes memory digits) {
        do {
            digits = bytes.concat(bytes1(uint8(48 + (value % 10))), digits);
            value /= 10;
        } while (value != 0);
    }

    function _toAddress(bytes32 account) private pure returns (address) {
        if (uint256(account) > type(uint160).max) revert InvalidAddress(account);
        return address(uint160(uint256(account)));
    }

    function _toBytes32(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
