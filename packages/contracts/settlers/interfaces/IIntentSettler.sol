// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IntentOrder} from "../IntentOrder.sol";
import {IDestinationSettler, IOriginSettler} from "./IERC7683.sol";

/// @notice What a settler remembers of an order. `Filled` is said on the destination chain, the others on the origin.
enum Kind {
    None,
    Open,
    Refunded,
    Filled,
    Proven,
    Released
}

/// @title Escrow, delivery, proof, claim and refund of intents, by the same contract on both chains.
interface IIntentSettler is IOriginSettler, IDestinationSettler {
    /// @notice On the destination chain: the recipient has been paid the whole output.
    /// @param orderId The order.
    /// @param filler Who paid it.
    /// @param repayTo Who is repaid on the origin chain.
    event Filled(bytes32 indexed orderId, address indexed filler, address indexed repayTo);
    /// @notice On the origin chain: the fill is proven, and the escrow is the payee's.
    event Proven(bytes32 indexed orderId, address indexed payee);
    /// @notice On the origin chain: the escrow has left, `amount` to the payee or to whom it named, and the rest of the
    /// input is set aside for the integrator. The amount is what left; a token may have taken a fee of it.
    event Released(bytes32 indexed orderId, address indexed payee, address to, uint256 amount);
    /// @notice On the origin chain: the whole escrow has left to the depositor or to whom it named.
    event Refunded(bytes32 indexed orderId, address indexed to, uint256 amount);

    /// @notice ERC-7683's data is of another order type.
    error WrongOrderType(bytes32 orderDataType);
    /// @notice The encoded order has another length than an order has.
    error WrongOrderLength(uint256 length);
    /// @notice A field outside the order differs from the order's own.
    error WrongWrapper();
    /// @notice The id that was given is not the order's.
    error WrongOrderId(bytes32 given, bytes32 expected);
    /// @notice The order is to be opened on another chain.
    error WrongOrigin(uint256 chainId);
    /// @notice The order is to be filled on another chain, or names no chain other than this one.
    error WrongDestination(uint256 chainId, bytes32 chain);
    /// @notice Deadlines out of order, no time for the proof, or an escrow of more than 30 days.
    error WrongDeadlines();
    /// @notice The order is not in the state that the call needs.
    error WrongKind(bytes32 orderId, Kind kind);
    /// @notice No orders, or more than fit one proof.
    error WrongBatchSize(uint256 size);
    /// @notice The orders of one claim have different tokens or payees.
    error MixedBatch(bytes32 orderId);
    /// @notice The payload of a proof is no list of fills.
    error WrongProof();
    /// @notice The proof comes from another address than this one.
    error UntrustedSource(string chain, string sender);
    /// @notice An account that cannot take its part in the order: zero, this contract, or one that would pay itself.
    error InvalidParty(address party);
    /// @notice An integrator's fee above the maximum, without an integrator, or an integrator without a fee.
    error InvalidFee(uint256 fee);
    /// @notice An order that moves nothing.
    error ZeroAmount();
    /// @notice The caller is not the depositor, whose approval or value the call would use.
    error NotDepositor(address caller, address depositor);
    /// @notice The caller is not the order's filler, and the exclusive time has not passed.
    error NotFiller(address caller, address filler);
    /// @notice The order may not be opened any more.
    error OpenDeadlinePassed(uint32 openDeadline);
    /// @notice The order may not be filled any more.
    error FillDeadlinePassed(uint32 fillDeadline);
    /// @notice The depositor may be refunded only after this time, in seconds since 1970.
    error RefundTooEarly(uint32 refundAfter);

    /// @notice Opens an order of the caller by a permission of its token, without an approval before.
    /// @param order The order.
    /// @param permission The permission; see Permissions.
    function openWith(IntentOrder calldata order, bytes calldata permission) external;

    /// @notice On the destination chain: tells the origin's settler which orders are filled, and whom to repay. Anybody
    /// may, and as often as they like; the caller pays for the relay with the value it sends, and gets what is left
    /// from the gas service.
    /// @param digests The EIP-712 digests of filled orders, at most 100. Orders of several fillers may share a proof.
    /// @param originChain Axelar's case-exact name of the origin chain. Orders of another origin are not found there.
    function prove(bytes32[] calldata digests, string calldata originChain) external payable;

    /// @notice On the origin chain: pays the escrow of proven orders, in one sum. Anybody may have it paid to the payee,
    /// who alone may name another account.
    /// @param orders Proven orders of one payee and one token.
    /// @param to Who is paid.
    function claim(IntentOrder[] calldata orders, address to) external;

    /// @notice On the origin chain: refunds an order that is open and not proven. The solver may until `exclusiveUntil`,
    /// which declines the order; anybody may after `refundAfter`. The depositor alone may name another account.
    /// @param order The order.
    /// @param to Who is paid.
    function refund(IntentOrder calldata order, address to) external;

    /// @notice What this chain remembers of an order.
    /// @param orderId The order's identifier.
    /// @return kind What happened last.
    /// @return account Who is to be repaid (Filled) or who is the escrow's payee (Proven, Released); else zero.
    function record(bytes32 orderId) external view returns (Kind kind, address account);

    /// @notice The EIP-712 digest of an order, which a depositor signs and a proof carries.
    /// @param order The order.
    /// @return The digest, equal on every chain.
    function digestOf(IntentOrder calldata order) external view returns (bytes32);

    /// @notice The identifier of an order: the hash of its destination chain's name and its digest.
    /// @param order The order.
    /// @return The identifier, equal on every chain.
    function orderIdOf(IntentOrder calldata order) external view returns (bytes32);
}
