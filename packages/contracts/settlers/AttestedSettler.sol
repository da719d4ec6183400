// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {ChainFacts, IChainFacts} from "../factory/ChainFacts.sol";
import {
    ATTESTED_ORDER_TYPE,
    AttestedOrder,
    attestedOrderId,
    attestedOrderStructHash,
    fillDigest
} from "./AttestedOrder.sol";
import {EscrowKind, IAttestedSettler} from "./interfaces/IAttestedSettler.sol";
import {Permissions} from "./Permissions.sol";

/// @title Escrows intents that are filled on a chain without an EVM, and delivers intents that come from one.
/// @notice An order from here runs `open` and `release`, against a signature of the attester that its depositor named
/// by opening it; or `refund`. An order to here runs `fill` alone: its escrow is kept elsewhere. There is no owner, no
/// pause and no upgrade: the escrow leaves only to the order's solver or to its depositor.
contract AttestedSettler is IAttestedSettler, Permissions {
    /// @notice How far ahead of the opening an order's `refundAfter` may lie, in seconds.
    uint256 public constant MAXIMUM_ESCROW_SECONDS = 30 days;
    /// @notice How many times an integrator's fee, at least, the input is: a fee is 1 % at most.
    uint256 public constant MINIMUM_INPUT_PER_FEE = 100;

    /// @notice This chain as orders name it: the Keccak-256 hash of its CAIP-2 identifier.
    bytes32 public immutable chain;
    /// @notice How long, at least, an order opened here waits for its attestation between its fill deadline and its
    /// refund, in seconds.
    uint32 public immutable proofWindow;

    mapping(bytes32 orderId => EscrowKind) private _kinds;
    mapping(bytes32 orderId => bytes32) private _repayments;

    /// @dev The factory tells the facts of this chain.
    constructor() {
        ChainFacts memory facts = IChainFacts(msg.sender).facts();
        proofWindow = facts.proofWindow;
        chain = keccak256(bytes.concat("eip155:", _toDecimal(block.chainid)));
    }

    /// @inheritdoc IAttestedSettler
    function record(bytes32 orderId) external view returns (EscrowKind kind, bytes32 repayTo) {
        return (_kinds[orderId], _repayments[orderId]);
    }

    /// @inheritdoc IAttestedSettler
    function orderIdOf(AttestedOrder calldata order) external pure returns (bytes32) {
        return _idOf(order);
    }

    /// @inheritdoc IAttestedSettler
    function fillDigestOf(
        bytes32 orderId,
        bytes32 repayTo,
        bytes32 transaction
    ) external view returns (bytes32) {
        return fillDigest(address(this), orderId, repayTo, transaction);
    }

    /// @inheritdoc IAttestedSettler
    function open(AttestedOrder calldata order) external payable {
        address depositor = _toAddress(order.depositor);
        if (msg.sender != depositor) revert NotDepositor(msg.sender, depositor);
        _requireOpenable(order);
        bytes32 orderId = _idOf(order);
        _move(orderId, EscrowKind.None, EscrowKind.Open);
        _collect(_toAddress(order.inputToken), address(this), order.inputAmount);
        emit Open(orderId, order);
    }

    /// @inheritdoc IAttestedSettler
    function openFor(AttestedOrder calldata order, bytes calldata permission) external {
        _requireOpenable(order);
        bytes32 witness = attestedOrderStructHash(order);
        bytes32 orderId = attestedOrderId(witness);
        _move(orderId, EscrowKind.None, EscrowKind.Open);
        _collectBy(
            permission,
            Pull(
                _toAddress(order.inputToken),
                _toAddress(order.depositor),
                order.inputAmount,
                order.openDeadline,
                orderId,
                orderId,
                witness
            )
        );
        emit Open(orderId, order);
    }

    /// @inheritdoc IAttestedSettler
    function release(
        AttestedOrder calldata order,
        bytes32 transaction,
        bytes calldata signature,
        address to
    ) external {
        address solver = _toAddress(order.solver);
        _requirePayee(solver, to);
        bytes32 orderId = _idOf(order);
        _move(orderId, EscrowKind.Open, EscrowKind.Released);
        address signer = ECDSA.recoverCalldata(
            fillDigest(address(this), orderId, order.solver, transaction),
            signature
        );
        if (signer != order.attester) revert NotAttester(signer, order.attester);
        address token = _toAddress(order.inputToken);
        uint256 amount = order.inputAmount - order.integratorFee;
        _earn(_toAddress(order.integrator), token, order.integratorFee);
        _pay(token, to, amount);
        emit Attested(orderId, transaction);
        emit Released(orderId, solver, to, amount);
    }

    /// @inheritdoc IAttestedSettler
    function fill(AttestedOrder calldata order, bytes32 repayTo) external payable {
        if (!_isHere(order.destinationChain, order.destinationSettler))
            revert WrongDestination(order.destinationChain, order.destinationSettler);
        if (order.originChain == chain) revert WrongOrigin(order.originChain, order.originSettler);
        if (block.timestamp > order.fillDeadline) revert FillDeadlinePassed(order.fillDeadline);
        if (order.outputAmount == 0) revert ZeroAmount();
        if (order.recipientTag != 0) revert InvalidTag(order.recipientTag);
        address recipient = _toAddress(order.recipient);
        // Value paid to the settler itself would be lost, and a filler's payment to itself cannot be measured.
        if (recipient == address(0) || recipient == address(this) || recipient == msg.sender)
            revert InvalidParty(order.recipient);
        bytes32 orderId = _idOf(order);
        if (_repayments[orderId] != 0) revert AlreadyFilled(orderId);
        bytes32 repaid = _repayTo(order, repayTo);
        _repayments[orderId] = repaid;
        _collect(_toAddress(order.outputToken), recipient, order.outputAmount);
        emit Filled(orderId, msg.sender, repaid);
    }

    /// @inheritdoc IAttestedSettler
    function refund(AttestedOrder calldata order, address to) external {
        bool isDeclined = msg.sender == _toAddress(order.solver) && block.timestamp <= order.exclusiveUntil;
        if (!isDeclined && block.timestamp <= order.refundAfter) revert RefundTooEarly(order.refundAfter);
        _requirePayee(_toAddress(order.depositor), to);
        bytes32 orderId = _idOf(order);
        _move(orderId, EscrowKind.Open, EscrowKind.Refunded);
        _pay(_toAddress(order.inputToken), to, order.inputAmount);
        emit Refunded(orderId, to, order.inputAmount);
    }

    /// @inheritdoc Permissions
    function _witnessType() internal pure override returns (string memory) {
        return
            string.concat(
                "AttestedOrder witness)",
                ATTESTED_ORDER_TYPE,
                "TokenPermissions(address token,uint256 amount)"
            );
    }

    /// @dev Takes an order from one state to another. Reverts when it is not in the first.
    function _move(bytes32 orderId, EscrowKind from, EscrowKind to) private {
        if (_kinds[orderId] != from) revert WrongKind(orderId, _kinds[orderId]);
        _kinds[orderId] = to;
    }

    /// @dev Whether an order means this settler on this chain.
    function _isHere(bytes32 chain_, bytes32 settler) private view returns (bool) {
        return chain_ == chain && settler == bytes32(uint256(uint160(address(this))));
    }

    /// @dev Reads every field that is narrower than a word, so that an order with dirty upper bits cannot be opened.
    function _requireOpenable(AttestedOrder calldata order) private view {
        if (!_isHere(order.originChain, order.originSettler))
            revert WrongOrigin(order.originChain, order.originSettler);
        if (order.destinationChain == chain || order.destinationChain == 0 || order.destinationSettler == 0)
            revert WrongDestination(order.destinationChain, order.destinationSettler);
        _requireDeadlines(order);
        if (order.inputAmount == 0 || order.outputAmount == 0) revert ZeroAmount();
        _requireParties(order);
    }

    /// @dev Reverts unless the deadlines are in order, leave the attestation its time, and end the escrow in 30 days.
    function _requireDeadlines(AttestedOrder calldata order) private view {
        if (block.timestamp > order.openDeadline) revert OpenDeadlinePassed(order.openDeadline);
        if (
            order.openDeadline > order.fillDeadline ||
            order.exclusiveUntil != order.fillDeadline ||
            order.refundAfter < uint256(order.fillDeadline) + proofWindow ||
            order.refundAfter > block.timestamp + MAXIMUM_ESCROW_SECONDS
        ) revert WrongDeadlines();
    }

    /// @dev Value paid to a settler itself would be lost, and a filler that is the recipient delivers nothing.
    function _requireParties(AttestedOrder calldata order) private view {
        address solver = _toAddress(order.solver);
        if (solver == address(0) || solver == address(this)) revert InvalidParty(order.solver);
        if (order.filler == 0 || order.filler == order.recipient) revert InvalidParty(order.filler);
        if (order.recipient == 0 || order.recipient == order.destinationSettler) revert InvalidParty(order.recipient);
        if (order.attester == address(0)) revert InvalidParty(0);
        (address integrator, uint256 fee) = (_toAddress(order.integrator), order.integratorFee);
        if (integrator == address(this)) revert InvalidParty(order.integrator);
        if (fee > order.inputAmount / MINIMUM_INPUT_PER_FEE || (fee == 0) != (integrator == address(0))) revert InvalidFee(fee);
    }

    /// @dev Who is repaid: the solver for its filler, and after the exclusive time whom the filler names.
    function _repayTo(AttestedOrder calldata order, bytes32 repayTo) private view returns (bytes32) {
        address filler = _toAddress(order.filler);
        bool isFiller = msg.sender == filler;
        if (!isFiller && block.timestamp <= order.exclusiveUntil) revert NotFiller(msg.sender, filler);
        bytes32 repaid = isFiller ? order.solver : repayTo;
        if (repaid == 0) revert InvalidParty(repaid);
        return repaid;
    }

    /// @dev The id of an order.
    function _idOf(AttestedOrder calldata order) private pure returns (bytes32) {
        return attestedOrderId(attestedOrderStructHash(order));
    }

    /// @dev OpenZeppelin's own needs an instruction that not every chain has.
    function _toDecimal(uint256 value) private pure returns (bytes memory digits) {
        do {
            digits = bytes.concat(bytes1(uint8(48 + (value % 10))), digits);
            value /= 10;
        } while (value != 0);
    }

    /// @dev The EVM address that a word holds. Reverts for other accounts.
    function _toAddress(bytes32 account) private pure returns (address) {
        if (uint256(account) > type(uint160).max) revert InvalidAddress(account);
        return address(uint160(uint256(account)));
    }
}
