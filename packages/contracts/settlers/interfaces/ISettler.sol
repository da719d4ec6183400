// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Order} from "../Order.sol";
import {IDestinationSettler, IOriginSettler} from "./IERC7683.sol";

/// @notice What a settler remembers of an order. `Filled` is said on the destination chain, the others on the origin.
enum State {
    None,
    Open,
    Refunded,
    Filled,
    Proven,
    Released
}

/// @notice What attesters say of a batch of orders, with their signatures.
struct Attestation {
    /// @dev Who is repaid for all of them.
    address repayTo;
    /// @dev When each was filled, by the destination chain's clock.
    uint32[] filledAt;
    /// @dev The members of the set that the orders commit to, in ascending order.
    address[] attesters;
    /// @dev 65 bytes each; for each order as many as its threshold, in ascending order of the members.
    bytes signatures;
}

/// @title Escrow, delivery, proof, claim, release and refund of orders, between EVM chains and to and from ledgers.
interface ISettler is IOriginSettler, IDestinationSettler {
    /// @notice On the destination chain: the recipient has been paid the whole output.
    /// @param orderId The order.
    /// @param filler Who paid it.
    /// @param repayTo Who is repaid on the origin chain.
    event Filled(bytes32 indexed orderId, address indexed filler, bytes32 indexed repayTo);
    /// @notice On the origin chain: Axelar has proven the fill, and the escrow is the payee's.
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
    /// @notice The order is opened elsewhere, or by another settler.
    error WrongOrigin(uint256 chainId, bytes32 settler);
    /// @notice The order is filled elsewhere, by another settler, or on the chain where it is opened.
    error WrongDestination(uint256 chainId, bytes32 settler);
    /// @notice The order is not in the state that the call needs.
    error WrongState(bytes32 orderId, State state);
    /// @notice The orders of one claim or release have different tokens, payees or attesters.
    error MixedBatch(bytes32 orderId);
    /// @notice The payload of a proof is no list of fills.
    error WrongProof();
    /// @notice The proof comes from another address than this one.
    error UntrustedSource(string chain, string sender);
    /// @notice An attestation of a time or a payee that no fill of the order can have.
    error ImpossibleFill(bytes32 orderId);
    /// @notice An integrator's fee that leaves nothing to the payee, or an integrator without a fee, or a fee without one.
    error InvalidFee(uint256 fee);
    /// @notice The caller is not the depositor, whose approval or value the call would use.
    error NotDepositor(address caller, bytes32 depositor);
    /// @notice The caller is not the order's filler, and the exclusive time has not passed.
    error NotFiller(address caller, bytes32 filler);
    /// @notice The order may not be opened any more.
    error OpenDeadlinePassed(uint32 openDeadline);
    /// @notice The order may not be filled any more.
    error FillDeadlinePassed(uint32 fillDeadline);
    /// @notice The depositor may be refunded only after this time, in seconds since 1970.
    error RefundTooEarly(uint32 refundAfter);

    /// @notice On the destination chain: tells the origin's settler which orders are filled, and whom to repay. Anybody
    /// may, and as often as they like; the caller pays for the relay with the value it sends, and gets what is left
    /// from the gas service.
    /// @param orderIds Filled orders from an EVM chain. Orders of several fillers may share a proof.
    /// @param originChain Axelar's case-exact name of the origin chain. Orders of another origin are not found there.
    function prove(bytes32[] calldata orderIds, string calldata originChain) external payable;

    /// @notice On the origin chain: pays the escrow of proven orders, in one sum. Anybody may have it paid to the payee,
    /// who alone may name another account.
    /// @param orders Proven orders of one payee and one token.
    /// @param to Who is paid.
    function claim(Order[] calldata orders, address to) external;

    /// @notice On the origin chain: pays the escrow of open orders whose attesters say that they were filled, in one sum.
    /// Anybody may have it paid to the payee, who alone may name another account. An order with a threshold of one
    /// repays its solver alone; other payees must have filled after the exclusive time.
    /// @param orders Open orders to a ledger, of one payee, one token and one set of attesters.
    /// @param attestation What was attested of them.
    /// @param to Who is paid.
    function release(Order[] calldata orders, Attestation calldata attestation, address to) external;

    /// @notice On the origin chain: refunds an order that is open and not proven. The solver may until `exclusiveUntil`,
    /// which declines the order; anybody may after `refundAfter`. The depositor alone may name another account.
    /// @param order The order.
    /// @param to Who is paid.
    function refund(Order calldata order, address to) external;

    /// @notice What this chain remembers of an order, in one slot.
    /// @param orderId The order's identifier.
    /// @return state What happened last.
    /// @return filledAt When it was filled here; zero on the origin chain.
    /// @return repayToKind What the payee is; zero before there is one.
    /// @return repayTo Who is to be repaid (Filled) or was (Proven, Released). Zero when the filler of an order from a
    /// ledger filled it: the order's solver is repaid.
    function record(
        bytes32 orderId
    ) external view returns (State state, uint32 filledAt, uint8 repayToKind, bytes32 repayTo);

    /// @notice The identifier of an order.
    /// @param order The order.
    /// @return The identifier, equal on every chain.
    function idOf(Order calldata order) external pure returns (bytes32);

    /// @notice What attesters sign of an order.
    /// @param orderId The order.
    /// @param repayTo Who is repaid.
    /// @param repayToKind What `repayTo` is.
    /// @param filledAt When it was filled.
    /// @return The EIP-712 digest, equal in every family.
    function fillDigestOf(
        bytes32 orderId,
        bytes32 repayTo,
        uint8 repayToKind,
        uint32 filledAt
    ) external pure returns (bytes32);
}
