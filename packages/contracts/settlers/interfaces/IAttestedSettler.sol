// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AttestedOrder} from "../AttestedOrder.sol";

/// @notice What the origin's settler remembers of an order.
enum EscrowKind {
    None,
    Open,
    Refunded,
    Released
}

/// @title Escrow, delivery, attested release and refund of intents between this chain and one without an EVM.
interface IAttestedSettler {
    /// @notice On the origin chain: an order was opened and its input escrowed.
    event Open(bytes32 indexed orderId, AttestedOrder order);
    /// @notice On the destination chain: the recipient has been paid the whole output.
    /// @param orderId The order.
    /// @param filler Who paid it.
    /// @param repayTo Who is to be repaid on the origin chain.
    event Filled(bytes32 indexed orderId, address indexed filler, bytes32 indexed repayTo);
    /// @notice On the origin chain: the order's attester says that a transaction of the destination chain filled it.
    event Attested(bytes32 indexed orderId, bytes32 indexed transaction);
    /// @notice On the origin chain: the escrow has left, `amount` to the payee or to whom it named, and the rest of the
    /// input is set aside for the integrator. The amount is what left; a token may have taken a fee of it.
    event Released(bytes32 indexed orderId, address indexed payee, address to, uint256 amount);
    /// @notice On the origin chain: the whole escrow has left to the depositor or to whom it named.
    event Refunded(bytes32 indexed orderId, address indexed to, uint256 amount);

    /// @notice A word that should hold an EVM address has other bits set.
    error InvalidAddress(bytes32 account);
    /// @notice A tag for a recipient on an EVM chain, where accounts have none.
    error InvalidTag(uint256 tag);
    /// @notice An account that cannot take its part in the order: zero, this contract, or one that would pay itself.
    error InvalidParty(bytes32 party);
    /// @notice An integrator's fee above the maximum, without an integrator, or an integrator without a fee.
    error InvalidFee(uint256 fee);
    /// @notice The order is not to be opened here, or is to be filled where it was opened.
    error WrongOrigin(bytes32 chain, bytes32 settler);
    /// @notice The order is not to be filled by this settler, or names no other chain.
    error WrongDestination(bytes32 chain, bytes32 settler);
    /// @notice Deadlines out of order, no time for the attestation, or an escrow of more than 30 days.
    error WrongDeadlines();
    /// @notice The order is not in the state that the call needs.
    error WrongKind(bytes32 orderId, EscrowKind kind);
    /// @notice The order was filled before.
    error AlreadyFilled(bytes32 orderId);
    /// @notice An order that moves nothing.
    error ZeroAmount();
    /// @notice The caller is not the depositor, whose approval or value the call would use.
    error NotDepositor(address caller, address depositor);
    /// @notice The caller is not the order's filler, and the exclusive time has not passed.
    error NotFiller(address caller, address filler);
    /// @notice The attestation is not signed by the attester that the order names.
    error NotAttester(address signer, address attester);
    /// @notice The order may not be opened any more.
    error OpenDeadlinePassed(uint32 openDeadline);
    /// @notice The order may not be filled any more.
    error FillDeadlinePassed(uint32 fillDeadline);
    /// @notice The depositor may be refunded only after this time, in seconds since 1970.
    error RefundTooEarly(uint32 refundAfter);

    /// @notice Opens an order and escrows its input: native value, or an ERC-20 that the caller has approved. Only the
    /// depositor may, once, until `openDeadline`. By opening it the depositor trusts the order's attester.
    /// @param order The order.
    function open(AttestedOrder calldata order) external payable;

    /// @notice As `open`, by anybody with the depositor's permission, which binds the whole order. ERC-20 only.
    /// @param order The order.
    /// @param permission The permission; see Permissions. The depositor itself needs no order signature.
    function openFor(AttestedOrder calldata order, bytes calldata permission) external;

    /// @notice Pays the escrow of an open order against its attester's signature. Anybody may have the solver paid, who
    /// alone may name another account. Reverts when the payment fails, and may be repeated.
    /// @param order The order.
    /// @param transaction Names the transaction of the destination chain that filled the order.
    /// @param signature The attester's signature of `fillDigestOf`, with the solver as whom to repay.
    /// @param to Who is paid.
    function release(
        AttestedOrder calldata order,
        bytes32 transaction,
        bytes calldata signature,
        address to
    ) external;

    /// @notice Pays the recipient the exact output from the caller: native value, or an ERC-20 that the caller has
    /// approved. Once, until `fillDeadline`: by the filler for the solver's repayment, and after `exclusiveUntil` by
    /// anybody for the repayment of an account of the origin chain that it names.
    /// @param order The order.
    /// @param repayTo For a caller that is not the filler: whom to repay on the origin chain.
    function fill(AttestedOrder calldata order, bytes32 repayTo) external payable;

    /// @notice Refunds an open order. The solver may until `exclusiveUntil`, which declines the order; anybody may
    /// after `refundAfter`. The depositor alone may name another account.
    /// @param order The order.
    /// @param to Who is paid.
    function refund(AttestedOrder calldata order, address to) external;

    /// @notice What this chain remembers of an order.
    /// @param orderId The order's identifier.
    /// @return kind What happened last to its escrow, on its origin chain.
    /// @return repayTo Whom its fill repays, on its destination chain; zero when it is not filled.
    function record(bytes32 orderId) external view returns (EscrowKind kind, bytes32 repayTo);

    /// @notice The identifier of an order, which a depositor signs.
    /// @param order The order.
    /// @return The EIP-712 digest that both chains and the quote use.
    function orderIdOf(AttestedOrder calldata order) external pure returns (bytes32);

    /// @notice The digest that an attester signs to release an order of this chain.
    /// @param orderId The order's identifier.
    /// @param repayTo Whom to repay.
    /// @param transaction Names the transaction that filled the order.
    /// @return The digest.
    function fillDigestOf(bytes32 orderId, bytes32 repayTo, bytes32 transaction) external view returns (bytes32);
}
