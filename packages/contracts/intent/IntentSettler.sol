// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AxelarExecutable} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/executable/AxelarExecutable.sol";
import {IAxelarGasService} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/interfaces/IAxelarGasService.sol";
import {AddressToString} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/libs/AddressString.sol";
import {FillInstruction, OnchainCrossChainOrder, Output, ResolvedCrossChainOrder} from "./interfaces/IERC7683.sol";
import {IIntentSettler, OrderStatus} from "./interfaces/IIntentSettler.sol";
import {INTENT_ORDER_TYPEHASH, IntentOrder, intentOrderId} from "./IntentOrder.sol";
import {Payments} from "./Payments.sol";
import {Remote, Remotes} from "./Remotes.sol";

/// @title Escrows intents on their origin chain and delivers them on their destination chain.
/// @notice One order runs `open` here, `fill` and `prove` on the other chain, and its release here; or `decline` or
/// `refund` here. There is no owner, no pause and no upgrade: escrowed value leaves only to the order's solver, against
/// a proof of its fill by the trusted settler of the destination chain, or to its depositor.
/// @dev One status slot per order serves both roles, because no order has the same origin and destination.
contract IntentSettler is IIntentSettler, AxelarExecutable, Remotes, Payments {
    /// @notice How far ahead of the opening an order's `refundAfter` may lie, in seconds.
    uint256 public constant MAXIMUM_ESCROW_SECONDS = 30 days;
    /// @notice How many orders one proof may hold.
    uint256 public constant MAXIMUM_BATCH_SIZE = 32;

    /// @notice Takes payment for the relay of proofs.
    IAxelarGasService public immutable gasService;

    mapping(bytes32 orderId => OrderStatus) private _statuses;

    /// @param gateway_ The Axelar gateway of this chain.
    /// @param gasService_ The Axelar gas service of this chain.
    /// @param remotes_ The settlers of the other chains, whose addresses are known before they are deployed.
    constructor(
        address gateway_,
        address gasService_,
        Remote[] memory remotes_
    ) AxelarExecutable(gateway_) Remotes(remotes_) {
        if (gasService_ == address(0)) revert InvalidAddress();
        gasService = IAxelarGasService(gasService_);
    }

    /// @inheritdoc IIntentSettler
    function statusOf(bytes32 orderId) external view returns (OrderStatus) {
        return _statuses[orderId];
    }

    /// @inheritdoc IIntentSettler
    function orderIdOf(IntentOrder calldata order) external pure returns (bytes32) {
        return intentOrderId(order);
    }

    /// @notice Opens an order and escrows its input: native value, or an ERC-20 that the caller has approved. Only the
    /// depositor may, once, until `openDeadline`. Tokens that take a fee are refused.
    /// @param order The order as ERC-7683 wraps it; `orderData` is an ABI-encoded IntentOrder.
    function open(OnchainCrossChainOrder calldata order) external payable nonReentrant {
        IntentOrder memory intent = _decode(order);
        _requireOpenable(intent);
        ResolvedCrossChainOrder memory resolved = _resolve(intent);
        _move(resolved.orderId, OrderStatus.None, OrderStatus.Open);
        _collect(intent.inputToken, address(this), intent.inputAmount);
        emit Open(resolved.orderId, resolved);
    }

    /// @notice Puts an order into the terms every filler understands; says nothing about its status.
    /// @param order The order as ERC-7683 wraps it.
    /// @return The resolved order, as `Open` announces it.
    function resolve(OnchainCrossChainOrder calldata order) external pure returns (ResolvedCrossChainOrder memory) {
        return _resolve(_decode(order));
    }

    /// @notice Pays the recipient the exact output from the caller: native value, or an ERC-20 that the caller has
    /// approved. Only the filler may call it, once, until `fillDeadline`. The filler must check that the order is
    /// open and final on its origin chain. Reverts when the recipient rejects the payment.
    /// @param orderId The order's identifier.
    /// @param originData The ABI-encoded IntentOrder.
    function fill(bytes32 orderId, bytes calldata originData, bytes calldata) external payable nonReentrant {
        IntentOrder memory intent = abi.decode(originData, (IntentOrder));
        bytes32 expected = intentOrderId(intent);
        if (orderId != expected) revert WrongOrderId(orderId, expected);
        if (msg.sender != intent.filler) revert NotFiller(msg.sender, intent.filler);
        if (block.timestamp > intent.fillDeadline) revert FillDeadlinePassed(intent.fillDeadline);
        if (!_isHere(intent.destinationChainId, intent.destinationSettler))
            revert WrongDestination(intent.destinationChainId, intent.destinationSettler);
        if (!_isTrusted(intent.originChainId, intent.originSettler))
            revert WrongOrigin(intent.originChainId, intent.originSettler);
        if (intent.recipient == address(this)) revert InvalidParty(intent.recipient);
        _move(orderId, OrderStatus.None, OrderStatus.Filled);
        _collect(intent.outputToken, intent.recipient, intent.outputAmount);
        emit Filled(orderId, intent.filler, intent.recipient, intent.outputToken, intent.outputAmount);
    }

    /// @inheritdoc IIntentSettler
    function prove(IntentOrder[] calldata orders) external payable nonReentrant {
        if (orders.length == 0 || orders.length > MAXIMUM_BATCH_SIZE) revert WrongBatchSize(orders.length);
        uint256 originChainId = orders[0].originChainId;
        for (uint256 i; i < orders.length; ++i) {
            bytes32 orderId = intentOrderId(orders[i]);
            if (_statuses[orderId] != OrderStatus.Filled) revert WrongStatus(orderId, _statuses[orderId]);
            if (orders[i].originChainId != originChainId)
                revert WrongOrigin(orders[i].originChainId, orders[i].originSettler);
            emit Proved(orderId, originChainId, msg.sender);
        }
        _send(_remote(originChainId), abi.encode(orders));
    }

    /// @inheritdoc IIntentSettler
    function decline(IntentOrder calldata order) external nonReentrant {
        if (msg.sender != order.solver) revert NotSolver(msg.sender, order.solver);
        bytes32 orderId = intentOrderId(order);
        emit Declined(orderId, order.solver);
        _refund(orderId, order);
    }

    /// @inheritdoc IIntentSettler
    function refund(IntentOrder calldata order) external nonReentrant {
        if (block.timestamp <= order.refundAfter) revert RefundTooEarly(order.refundAfter);
        _refund(intentOrderId(order), order);
    }

    /// @dev Takes a proof that the gateway has approved: repays the solver of every order that is open here and was to
    /// be filled where the proof comes from. One order never stops another.
    function _execute(
        bytes32,
        string calldata sourceChain,
        string calldata sourceAddress,
        bytes calldata payload
    ) internal override nonReentrant {
        uint256 sourceChainId = _sourceChainId(sourceChain, sourceAddress);
        IntentOrder[] memory orders = abi.decode(payload, (IntentOrder[]));
        for (uint256 i; i < orders.length; ++i) _release(orders[i], sourceChainId);
    }

    function _release(IntentOrder memory order, uint256 sourceChainId) private {
        bytes32 orderId = intentOrderId(order);
        if (_statuses[orderId] != OrderStatus.Open || order.destinationChainId != sourceChainId) {
            emit ProofIgnored(orderId, sourceChainId, _statuses[orderId]);
            return;
        }
        _statuses[orderId] = OrderStatus.Released;
        if (_payOrCredit(order.inputToken, order.solver, order.inputAmount))
            emit Released(orderId, order.solver, order.inputToken, order.inputAmount);
        else emit ReleaseCredited(orderId, order.solver, order.inputToken, order.inputAmount);
    }

    function _refund(bytes32 orderId, IntentOrder calldata order) private {
        _move(orderId, OrderStatus.Open, OrderStatus.Refunded);
        if (_payOrCredit(order.inputToken, order.depositor, order.inputAmount))
            emit Refunded(orderId, order.depositor, order.inputToken, order.inputAmount);
        else emit RefundCredited(orderId, order.depositor, order.inputToken, order.inputAmount);
    }

    function _send(Remote storage remote, bytes memory payload) private {
        string memory axelarChain = remote.axelarChain;
        string memory settler = AddressToString.toString(remote.settler);
        if (msg.value > 0)
            gasService.payNativeGasForContractCall{value: msg.value}(
                address(this),
                axelarChain,
                settler,
                payload,
                msg.sender
            );
        gateway().callContract(axelarChain, settler, payload);
    }

    function _move(bytes32 orderId, OrderStatus from, OrderStatus to) private {
        if (_statuses[orderId] != from) revert WrongStatus(orderId, _statuses[orderId]);
        _statuses[orderId] = to;
    }

    function _isHere(uint256 chainId, address settler) private view returns (bool) {
        return chainId == block.chainid && settler == address(this);
    }

    function _requireOpenable(IntentOrder memory order) private view {
        if (msg.sender != order.depositor) revert NotDepositor(msg.sender, order.depositor);
        if (block.timestamp > order.openDeadline) revert OpenDeadlinePassed(order.openDeadline);
        if (!_isHere(order.originChainId, order.originSettler))
            revert WrongOrigin(order.originChainId, order.originSettler);
        if (!_isTrusted(order.destinationChainId, order.destinationSettler))
            revert WrongDestination(order.destinationChainId, order.destinationSettler);
        if (!_areDeadlinesSane(order))
            revert WrongDeadlines(order.openDeadline, order.fillDeadline, order.refundAfter);
        if (order.inputAmount == 0 || order.outputAmount == 0) revert ZeroAmount();
        _requireParties(order);
    }

    /// @dev Value paid to a settler itself would be lost, and a filler's payment to itself cannot be measured.
    function _requireParties(IntentOrder memory order) private view {
        if (order.solver == address(0) || order.solver == address(this)) revert InvalidParty(order.solver);
        if (order.filler == address(0) || order.filler == order.recipient) revert InvalidParty(order.filler);
        if (order.recipient == address(0) || order.recipient == order.destinationSettler)
            revert InvalidParty(order.recipient);
    }

    function _areDeadlinesSane(IntentOrder memory order) private view returns (bool) {
        uint256 earliestRefund = uint256(order.fillDeadline) + _remote(order.destinationChainId).proofWindowSeconds;
        return
            order.openDeadline <= order.fillDeadline &&
            order.refundAfter >= earliestRefund &&
            order.refundAfter <= block.timestamp + MAXIMUM_ESCROW_SECONDS;
    }

    function _decode(OnchainCrossChainOrder calldata order) private pure returns (IntentOrder memory intent) {
        if (order.orderDataType != INTENT_ORDER_TYPEHASH) revert WrongOrderType(order.orderDataType);
        intent = abi.decode(order.orderData, (IntentOrder));
        if (order.fillDeadline != intent.fillDeadline)
            revert WrongFillDeadline(order.fillDeadline, intent.fillDeadline);
    }

    function _resolve(IntentOrder memory order) private pure returns (ResolvedCrossChainOrder memory resolved) {
        resolved.user = order.depositor;
        resolved.originChainId = order.originChainId;
        resolved.openDeadline = order.openDeadline;
        resolved.fillDeadline = order.fillDeadline;
        resolved.orderId = intentOrderId(order);
        resolved.maxSpent = _output(order.outputToken, order.outputAmount, order.recipient, order.destinationChainId);
        resolved.minReceived = _output(order.inputToken, order.inputAmount, order.solver, order.originChainId);
        resolved.fillInstructions = new FillInstruction[](1);
        resolved.fillInstructions[0] = FillInstruction({
            destinationChainId: order.destinationChainId,
            destinationSettler: _toBytes32(order.destinationSettler),
            originData: abi.encode(order)
        });
    }

    function _output(
        address token,
        uint256 amount,
        address recipient,
        uint256 chainId
    ) private pure returns (Output[] memory outputs) {
        outputs = new Output[](1);
        outputs[0] = Output(_toBytes32(token), amount, _toBytes32(recipient), chainId);
    }

    function _toBytes32(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
