// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IntentOrder} from "../IntentOrder.sol";
import {IDestinationSettler, IOriginSettler} from "./IERC7683.sol";

/// @notice What a settler remembers of an order. `Filled` is said on the destination chain, the others on the origin.
enum OrderStatus {
    None,
    Open,
    Released,
    Refunded,
    Filled
}

/// @title Escrow, delivery, proof and refund of intents, by the same contract on both chains.
interface IIntentSettler is IOriginSettler, IDestinationSettler {
    /// @notice On the destination chain: the recipient has been paid.
    event Filled(
        bytes32 indexed orderId,
        address indexed filler,
        address indexed recipient,
        address token,
        uint256 amount
    );
    /// @notice On the destination chain: a proof of the fill has been handed to the Axelar gateway.
    event Proved(bytes32 indexed orderId, uint256 indexed originChainId, address indexed prover);
    /// @notice On the origin chain: the solver has been paid the escrowed input.
    event Released(bytes32 indexed orderId, address indexed solver, address token, uint256 amount);
    /// @notice As `Released`, but the payment was refused: the amount waits for the solver to be withdrawn.
    event ReleaseCredited(bytes32 indexed orderId, address indexed solver, address token, uint256 amount);
    /// @notice On the origin chain: a proof came for an order that is not open, or not to be filled where it came from.
    event ProofIgnored(bytes32 indexed orderId, uint256 indexed sourceChainId, OrderStatus status);
    /// @notice On the origin chain: the solver gave the order up.
    event Declined(bytes32 indexed orderId, address indexed solver);
    /// @notice On the origin chain: the depositor has been paid the escrowed input back.
    event Refunded(bytes32 indexed orderId, address indexed depositor, address token, uint256 amount);
    /// @notice As `Refunded`, but the payment was refused: the amount waits for the depositor to be withdrawn.
    event RefundCredited(bytes32 indexed orderId, address indexed depositor, address token, uint256 amount);

    error WrongOrderType(bytes32 orderDataType);
    error WrongFillDeadline(uint32 given, uint32 expected);
    error WrongOrderId(bytes32 given, bytes32 expected);
    error WrongOrigin(uint256 chainId, address settler);
    error WrongDestination(uint256 chainId, address settler);
    error WrongDeadlines(uint32 openDeadline, uint32 fillDeadline, uint32 refundAfter);
    error WrongStatus(bytes32 orderId, OrderStatus status);
    error WrongBatchSize(uint256 size);
    error InvalidParty(address party);
    error ZeroAmount();
    error NotDepositor(address caller, address depositor);
    error NotFiller(address caller, address filler);
    error NotSolver(address caller, address solver);
    error OpenDeadlinePassed(uint32 openDeadline);
    error FillDeadlinePassed(uint32 fillDeadline);
    error RefundTooEarly(uint32 refundAfter);

    /// @notice Proves fills of this chain to the settler of the origin chain that all the orders share. Anybody may,
    /// and as often as they like: the origin pays each order once. The value sent is the relay's gas.
    /// @param orders The filled orders; at most 32.
    function prove(IntentOrder[] calldata orders) external payable;

    /// @notice Gives up an open order; only its solver may. The depositor is refunded at once. A solver that declines
    /// what it has filled is not repaid.
    /// @param order The order.
    function decline(IntentOrder calldata order) external;

    /// @notice Refunds the depositor of an order that is still open after `refundAfter`; anybody may call.
    /// @param order The order.
    function refund(IntentOrder calldata order) external;

    /// @notice What this chain knows of an order.
    /// @param orderId The order's identifier.
    /// @return The status.
    function statusOf(bytes32 orderId) external view returns (OrderStatus);

    /// @notice The identifier of an order.
    /// @param order The order.
    /// @return The EIP-712 hash that both chains and the quote use.
    function orderIdOf(IntentOrder calldata order) external pure returns (bytes32);
}
