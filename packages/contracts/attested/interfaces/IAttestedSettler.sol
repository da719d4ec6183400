// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AttestedOrder} from "../AttestedOrder.sol";

/// @notice What a settler remembers of an order. `Filled` is said on the destination chain, the others on the origin.
enum OrderStatus {
    None,
    Open,
    Released,
    Refunded,
    Filled
}

/// @title Escrow, delivery, attested release and refund of intents between this chain and one without an EVM.
interface IAttestedSettler {
    /// @notice On the origin chain: an order was opened and its input escrowed.
    event Open(bytes32 indexed orderId, AttestedOrder order);
    /// @notice On the destination chain: the recipient has been paid.
    event Filled(
        bytes32 indexed orderId,
        address indexed filler,
        address indexed recipient,
        address token,
        uint256 amount
    );
    /// @notice On the origin chain: the order's attester says that a transaction of the destination chain filled it.
    event Attested(bytes32 indexed orderId, bytes32 indexed transaction);
    /// @notice On the origin chain: the solver has been paid the escrowed input.
    event Released(bytes32 indexed orderId, address indexed solver, address token, uint256 amount);
    /// @notice As `Released`, but the payment was refused: the amount waits for the solver to be withdrawn.
    event ReleaseCredited(bytes32 indexed orderId, address indexed solver, address token, uint256 amount);
    /// @notice On the origin chain: the solver gave the order up.
    event Declined(bytes32 indexed orderId, address indexed solver);
    /// @notice On the origin chain: the depositor has been paid the escrowed input back.
    event Refunded(bytes32 indexed orderId, address indexed depositor, address token, uint256 amount);
    /// @notice As `Refunded`, but the payment was refused: the amount waits for the depositor to be withdrawn.
    event RefundCredited(bytes32 indexed orderId, address indexed depositor, address token, uint256 amount);

    error InvalidWindow();
    error WrongOrigin(bytes32 chain, bytes32 settler);
    error WrongDestination(bytes32 chain, bytes32 settler);
    error WrongDeadlines(uint32 openDeadline, uint32 fillDeadline, uint32 refundAfter);
    error WrongStatus(bytes32 orderId, OrderStatus status);
    error InvalidAddress(bytes32 account);
    error InvalidParty(bytes32 party);
    error InvalidTag(uint256 recipientTag);
    error ZeroAmount();
    error NotDepositor(address caller, address depositor);
    error NotFiller(address caller, address filler);
    error NotSolver(address caller, address solver);
    error NotAttester(address signer, address attester);
    error OpenDeadlinePassed(uint32 openDeadline);
    error FillDeadlinePassed(uint32 fillDeadline);
    error RefundTooEarly(uint32 refundAfter);

    /// @notice Opens an order and escrows its input: native value, or an ERC-20 that the caller has approved. Only the
    /// depositor may, once, until `openDeadline`. Tokens that take a fee are refused.
    /// @param order The order.
    function open(AttestedOrder calldata order) external payable;

    /// @notice Pays the solver of an open order, against the signature of its attester; anybody may call.
    /// @param order The order.
    /// @param transaction Names the transaction that filled the order on its destination chain.
    /// @param signature The attester's ECDSA signature of `fillDigestOf(orderId, transaction)`, of 65 bytes.
    function release(AttestedOrder calldata order, bytes32 transaction, bytes calldata signature) external;

    /// @notice Pays the recipient exactly what the order says, from the caller: native value, or an ERC-20 that the
    /// caller has approved. Only the filler may, once, until `fillDeadline`. It is the filler's own business that the
    /// order is deposited for on its origin chain, and final there. Reverts when the recipient refuses.
    /// @param order The order.
    function fill(AttestedOrder calldata order) external payable;

    /// @notice Gives up an open order; only its solver may. The depositor is refunded at once. A solver that declines
    /// what it has filled is not repaid.
    /// @param order The order.
    function decline(AttestedOrder calldata order) external;

    /// @notice Refunds the depositor of an order that is still open after `refundAfter`; anybody may call.
    /// @param order The order.
    function refund(AttestedOrder calldata order) external;

    /// @notice What this chain knows of an order.
    /// @param orderId The order's identifier.
    /// @return The status.
    function statusOf(bytes32 orderId) external view returns (OrderStatus);

    /// @notice The identifier of an order.
    /// @param order The order.
    /// @return The EIP-712 hash that both chains and the quote use.
    function orderIdOf(AttestedOrder calldata order) external pure returns (bytes32);

    /// @notice What an attester signs to have an order of this settler released.
    /// @param orderId The order's identifier.
    /// @param transaction Names the transaction that filled the order on its destination chain.
    /// @return The EIP-712 hash.
    function fillDigestOf(bytes32 orderId, bytes32 transaction) external view returns (bytes32);
}
