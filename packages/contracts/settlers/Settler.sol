// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AxelarExecutable} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/executable/AxelarExecutable.sol";
import {IAxelarGasService} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/interfaces/IAxelarGasService.sol";
import {ChainFacts, IChainFacts} from "../factory/ChainFacts.sol";
import {foldChainName} from "../factory/ChainName.sol";
import {OwnAddress} from "../factory/OwnAddress.sol";
import {fillDigest, requireMembers, requireSigned, SIGNATURE_LENGTH, WrongSignatureCount} from "./Attesters.sol";
import {GaslessCrossChainOrder, OnchainCrossChainOrder} from "./interfaces/IERC7683.sol";
import {Attestation, ISettler, State} from "./interfaces/ISettler.sol";
import {
    EVM_ACCOUNT,
    InvalidAccount,
    isEvm,
    Order,
    ORDER_TYPE,
    orderIdOf,
    STELLAR_CONTRACT,
    toAddress,
    toWord
} from "./Order.sol";
import {requireSound, WrongDeadlines, WrongName} from "./OrderRules.sol";
import {OrderWrapping} from "./OrderWrapping.sol";
import {Permissions} from "./Permissions.sol";

/// @title Escrows orders on their origin chain and delivers them on their destination chain.
/// @notice Between EVM chains an order runs `open` on its origin, `fill` and `prove` on its destination, and on its origin
/// the mark that Axelar's message leaves, and `claim`. Where one side is a ledger, this contract is the other: `open` and
/// `release` against signatures of the order's attesters, or `fill`. In place of being paid out, an order may be
/// refunded. There is no owner, no pause and no upgrade. A filler other than the order's must see the order open in a
/// final block of the origin whose own time is past `exclusiveUntil`, because until then the solver may decline. Every
/// filler must check the facts of both chains, and the attesters of an order that has some.
/// @dev Only the factory's owner can have put code at this address of another chain, and only this code. A chain can
/// lie about orders to it alone: the record of an open order holds the name of the chain that may prove it. One record
/// serves both roles, because no order has the same origin and destination.
contract Settler is OrderWrapping, AxelarExecutable, Permissions, OwnAddress {
    /// @dev An order and who is to be repaid.
    uint256 private constant PROOF_LENGTH = 64;

    /// @notice Takes payment for the relay of proofs.
    IAxelarGasService public immutable gasService;
    /// @notice Axelar's name of this chain, in lower case and left-aligned.
    bytes32 public immutable chainName;
    /// @notice How long, at least, an order that is filled here, or that goes from here to a ledger, waits between its
    /// fill deadline and its refund, in seconds.
    uint32 public immutable proofWindow;
    /// @notice How far ahead of the opening an order's `refundAfter` may lie, in seconds: a day, and more only where the
    /// proof window leaves less than half a day of it.
    uint256 public immutable maximumEscrow;
    /// @notice The EIP-712 domain of depositors' signatures: name, version, chain and this address.
    bytes32 public immutable domainSeparator;

    /// @dev From the lowest bit: the state (8 bits), the time of the fill (32), the kind of the payee (8) and the payee
    /// (160). An open order has the name of the chain that may prove it in place of the payee, or zero.
    mapping(bytes32 orderId => uint256) private _records;
    /// @dev Payees that are no EVM accounts: of strangers that filled orders from ledgers.
    mapping(bytes32 orderId => bytes32) private _payees;

    /// @dev The factory tells the facts of this chain.
    constructor() AxelarExecutable(IChainFacts(msg.sender).facts().gateway) {
        ChainFacts memory facts = IChainFacts(msg.sender).facts();
        gasService = IAxelarGasService(facts.gasService);
        chainName = facts.chainName;
        proofWindow = facts.proofWindow;
        maximumEscrow = facts.proofWindow > 12 hours ? uint256(facts.proofWindow) + 12 hours : 24 hours;
        domainSeparator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("OpenRFQ"),
                keccak256("3"),
                block.chainid,
                address(this)
            )
        );
    }

    /// @inheritdoc ISettler
    function record(
        bytes32 orderId
    ) external view returns (State state, uint32 filledAt, uint8 repayToKind, bytes32 repayTo) {
        uint256 found = _records[orderId];
        (state, filledAt, repayToKind) = (_stateOf(found), uint32(found >> 8), uint8(found >> 40));
        repayTo = repayToKind == EVM_ACCOUNT ? toWord(_payeeOf(found)) : _payees[orderId];
    }

    /// @inheritdoc ISettler
    function idOf(Order calldata order) external pure returns (bytes32) {
        return orderIdOf(order);
    }

    /// @inheritdoc ISettler
    function fillDigestOf(
        bytes32 orderId,
        bytes32 repayTo,
        uint8 repayToKind,
        uint32 filledAt
    ) external pure returns (bytes32) {
        return fillDigest(orderId, repayTo, repayToKind, filledAt);
    }

    /// @notice Opens an order and escrows its input: native value, or an ERC-20 that the caller has approved. Only the
    /// depositor may, once, until `openDeadline`.
    /// @param wrapped The order as ERC-7683 wraps it; `orderData` is an ABI-encoded Order.
    function open(OnchainCrossChainOrder calldata wrapped) external payable {
        Order calldata order = _unwrap(wrapped);
        if (toWord(msg.sender) != order.depositor) revert NotDepositor(msg.sender, order.depositor);
        bytes32 orderId = _begin(order);
        _collect(toAddress(order.inputToken), address(this), order.inputAmount);
        _announce(orderId, order);
    }

    /// @notice As `open`, by anybody with the depositor's permission, which binds the whole order. ERC-20 only.
    /// @param wrapped The order as ERC-7683 wraps it; the nonce is the order's salt.
    /// @param signature The permission; see Permissions.
    function openFor(GaslessCrossChainOrder calldata wrapped, bytes calldata signature, bytes calldata) external {
        Order calldata order = _unwrapGasless(wrapped);
        bytes32 orderId = _begin(order);
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", domainSeparator, orderId));
        _collectBy(
            signature,
            Pull(
                toAddress(order.inputToken),
                wrapped.user,
                order.inputAmount,
                order.openDeadline,
                orderId,
                digest,
                orderId
            )
        );
        _announce(orderId, order);
    }

    /// @notice Pays the recipient the exact output from the caller: native value, or an ERC-20 that the caller has
    /// approved. Once, until `fillDeadline`: by the filler for the solver's repayment, and after `exclusiveUntil` by
    /// anybody who says where to be repaid. Reverts when the recipient rejects the payment, and when the order leaves
    /// less time for a proof from here than `proofWindow`.
    /// @param orderId The order's identifier.
    /// @param originData The ABI-encoded Order.
    /// @param fillerData For a caller that is not the filler: the account to be repaid on the origin chain and its kind,
    /// ABI-encoded as bytes32 and uint8.
    function fill(bytes32 orderId, bytes calldata originData, bytes calldata fillerData) external payable {
        Order calldata order = _decode(originData);
        bytes32 expected = orderIdOf(order);
        if (orderId != expected) revert WrongOrderId(orderId, expected);
        _requireFillable(order);
        address recipient = toAddress(order.recipient);
        if (recipient == address(0) || recipient == address(this) || recipient == msg.sender)
            revert InvalidAccount(order.recipient);
        _requireState(orderId, State.None);
        (bytes32 repayTo, uint8 kind) = _repayment(order, fillerData);
        uint256 filled = uint256(State.Filled) | (block.timestamp << 8) | (uint256(kind) << 40);
        if (kind == EVM_ACCOUNT) filled |= uint256(repayTo) << 48;
        else if (toWord(msg.sender) != order.filler) _payees[orderId] = repayTo;
        _records[orderId] = filled;
        _collect(toAddress(order.outputToken), recipient, order.outputAmount);
        emit Filled(orderId, msg.sender, repayTo);
    }

    /// @inheritdoc ISettler
    function prove(bytes32[] calldata orderIds, string calldata originChain) external payable {
        bytes memory payload = new bytes(orderIds.length * PROOF_LENGTH);
        for (uint256 i; i < orderIds.length; ++i) {
            bytes32 orderId = orderIds[i];
            uint256 found = _records[orderId];
            if (_stateOf(found) != State.Filled || uint8(found >> 40) != EVM_ACCOUNT)
                revert WrongState(orderId, _stateOf(found));
            address repayTo = _payeeOf(found);
            assembly ("memory-safe") {
                let proof := add(payload, add(32, mul(i, PROOF_LENGTH)))
                mstore(proof, orderId)
                mstore(add(proof, 32), and(repayTo, 0xffffffffffffffffffffffffffffffffffffffff))
            }
        }
        string memory settler = _ownAddress();
        if (msg.value > 0)
            gasService.payNativeGasForContractCall{value: msg.value}(
                address(this),
                originChain,
                settler,
                payload,
                msg.sender
            );
        gateway().callContract(originChain, settler, payload);
    }

    /// @inheritdoc ISettler
    function claim(Order[] calldata orders, address to) external {
        bytes32 token = orders[0].inputToken;
        address payee = _payeeOf(_requireState(orderIdOf(orders[0]), State.Proven));
        _requirePayee(payee, to);
        uint256 sum;
        for (uint256 i; i < orders.length; ++i) {
            bytes32 orderId = orderIdOf(orders[i]);
            uint256 found = _requireState(orderId, State.Proven);
            if (_payeeOf(found) != payee) revert MixedBatch(orderId);
            sum += _release(orderId, orders[i], token, payee, to);
        }
        _pay(toAddress(token), to, sum);
    }

    /// @inheritdoc ISettler
    function release(Order[] calldata orders, Attestation calldata attestation, address to) external {
        (bytes32 token, address payee) = (orders[0].inputToken, attestation.repayTo);
        _requirePayee(payee, to);
        uint256 needed = requireMembers(orders[0].attesters, attestation.attesters);
        uint256 given = attestation.signatures.length;
        if (given != orders.length * needed * SIGNATURE_LENGTH)
            revert WrongSignatureCount(given / SIGNATURE_LENGTH, orders.length * needed);
        uint256 sum;
        for (uint256 i; i < orders.length; ++i) {
            Order calldata order = orders[i];
            if (order.attesters != orders[0].attesters) revert MixedBatch(orderIdOf(order));
            bytes32 orderId = _requireAttested(order, attestation, i, needed * SIGNATURE_LENGTH);
            sum += _release(orderId, order, token, payee, to);
        }
        _pay(toAddress(token), to, sum);
    }

    /// @inheritdoc ISettler
    function refund(Order calldata order, address to) external {
        bool isDeclined = toWord(msg.sender) == order.solver && block.timestamp <= order.exclusiveUntil;
        if (!isDeclined && block.timestamp <= order.refundAfter) revert RefundTooEarly(order.refundAfter);
        _requirePayee(toAddress(order.depositor), to);
        bytes32 orderId = orderIdOf(order);
        _requireState(orderId, State.Open);
        _records[orderId] = uint256(State.Refunded);
        _pay(toAddress(order.inputToken), to, order.inputAmount);
        emit Refunded(orderId, to, order.inputAmount);
    }

    /// @dev Takes a proof that the gateway has approved. Marks the orders that are open here and name the chain it
    /// comes from, and skips all others. Makes no payment, so that no order can keep another from its mark.
    function _execute(
        bytes32,
        string calldata sourceChain,
        string calldata sourceAddress,
        bytes calldata payload
    ) internal override {
        if (!_isOwnAddress(sourceAddress)) revert UntrustedSource(sourceChain, sourceAddress);
        if (payload.length % PROOF_LENGTH != 0) revert WrongProof();
        uint256 expected = _opened(foldChainName(sourceChain));
        for (uint256 i; i < payload.length; i += PROOF_LENGTH) {
            uint256 repayTo = uint256(bytes32(payload[i + 32:i + PROOF_LENGTH]));
            bytes32 orderId = bytes32(payload[i:i + 32]);
            if (repayTo == 0 || repayTo > type(uint160).max || _records[orderId] != expected) continue;
            _records[orderId] = _paid(State.Proven, repayTo);
            emit Proven(orderId, address(uint160(repayTo)));
        }
    }

    /// @inheritdoc Permissions
    function _witnessType() internal pure override returns (string memory) {
        return string.concat("Order witness)", ORDER_TYPE, "TokenPermissions(address token,uint256 amount)");
    }

    /// @dev Opens an order before its input is taken; the whole call reverts when that fails.
    function _begin(Order calldata order) private returns (bytes32 orderId) {
        _requireOpenable(order);
        orderId = orderIdOf(order);
        _requireState(orderId, State.None);
        _records[orderId] = _opened(order.destinationName);
    }

    /// @dev Marks an order as released and sets its integrator's fee aside; the caller pays the sum.
    function _release(
        bytes32 orderId,
        Order calldata order,
        bytes32 token,
        address payee,
        address to
    ) private returns (uint256 amount) {
        if (order.inputToken != token) revert MixedBatch(orderId);
        _records[orderId] = _paid(State.Released, uint160(payee));
        amount = order.inputAmount - order.integratorFee;
        _earn(toAddress(order.integrator), toAddress(token), order.integratorFee);
        emit Released(orderId, payee, to, amount);
    }

    /// @dev Reverts unless the order is open and its attesters say that a fill repays the payee. Between EVM chains the
    /// record of an open order is never this one, and an order has no attesters.
    function _requireAttested(
        Order calldata order,
        Attestation calldata attestation,
        uint256 index,
        uint256 length
    ) private view returns (bytes32 orderId) {
        orderId = orderIdOf(order);
        uint256 found = _records[orderId];
        if (found != _opened(0)) revert WrongState(orderId, _stateOf(found));
        (bytes32 repayTo, uint32 filledAt) = (toWord(attestation.repayTo), attestation.filledAt[index]);
        if (filledAt > order.fillDeadline || (repayTo != order.solver && filledAt <= order.exclusiveUntil))
            revert ImpossibleFill(orderId);
        bytes32 digest = fillDigest(orderId, repayTo, EVM_ACCOUNT, filledAt);
        requireSigned(
            attestation.attesters,
            digest,
            attestation.signatures[index * length:(index + 1) * length]
        );
    }

    /// @dev Reads every field that is narrower than a word, so that an order with dirty upper bits cannot be opened.
    function _requireOpenable(Order calldata order) private view {
        if (order.originChainId != block.chainid || order.originSettler != toWord(address(this)))
            revert WrongOrigin(order.originChainId, order.originSettler);
        bytes32 recipient = order.recipient;
        bool isToEvm = isEvm(order.destinationChainId);
        if (
            order.destinationChainId == block.chainid ||
            (isToEvm ? order.destinationSettler != order.originSettler : order.destinationSettler == 0)
        ) revert WrongDestination(order.destinationChainId, order.destinationSettler);
        if (order.destinationName == chainName) revert WrongName(chainName);
        requireSound(order);
        _requireTime(order, isToEvm ? 0 : proofWindow);
        // Value paid to a settler would be lost.
        if (recipient == 0 || recipient == order.destinationSettler || (isToEvm && uint256(recipient) >> 160 != 0))
            revert InvalidAccount(recipient);
        _requireParties(order);
    }

    /// @dev Reverts unless the order may be opened now, leaves attesters their time, and ends its escrow in time.
    function _requireTime(Order calldata order, uint256 window) private view {
        if (block.timestamp > order.openDeadline) revert OpenDeadlinePassed(order.openDeadline);
        uint256 refundAfter = order.refundAfter;
        if (refundAfter < order.fillDeadline + window || refundAfter > block.timestamp + maximumEscrow)
            revert WrongDeadlines();
    }

    /// @dev Whoever is paid here must be an address that can be.
    function _requireParties(Order calldata order) private view {
        address solver = toAddress(order.solver);
        if (solver == address(0) || solver == address(this)) revert InvalidAccount(order.solver);
        address integrator = toAddress(order.integrator);
        if (integrator == address(this)) revert InvalidAccount(order.integrator);
        uint256 fee = order.integratorFee;
        if (fee >= order.inputAmount || (fee == 0) != (integrator == address(0))) revert InvalidFee(fee);
    }

    /// @dev Reverts unless the order may be filled here and now. An order that is open on an EVM chain is sound: its
    /// settler has checked it, and no filler fills an order that is not open.
    function _requireFillable(Order calldata order) private view {
        if (order.destinationChainId != block.chainid || order.destinationSettler != toWord(address(this)))
            revert WrongDestination(order.destinationChainId, order.destinationSettler);
        bool isFromEvm = isEvm(order.originChainId);
        if (
            order.originChainId == block.chainid ||
            (isFromEvm ? order.originSettler != order.destinationSettler : order.originSettler == 0)
        ) revert WrongOrigin(order.originChainId, order.originSettler);
        if (!isFromEvm) requireSound(order);
        else if (order.destinationName != chainName) revert WrongName(order.destinationName);
        if (block.timestamp > order.fillDeadline) revert FillDeadlinePassed(order.fillDeadline);
        if (order.refundAfter < uint256(order.fillDeadline) + proofWindow) revert WrongDeadlines();
    }

    /// @dev Whom a fill repays: the solver for its filler, and after the exclusive time whom the caller names, whose own
    /// address may not exist on the origin chain.
    function _repayment(
        Order calldata order,
        bytes calldata fillerData
    ) private view returns (bytes32 repayTo, uint8 kind) {
        if (toWord(msg.sender) == order.filler) (repayTo, kind) = (order.solver, uint8(order.accountKinds[2]));
        else {
            if (block.timestamp <= order.exclusiveUntil) revert NotFiller(msg.sender, order.filler);
            (repayTo, kind) = abi.decode(fillerData, (bytes32, uint8));
        }
        bool isRightKind = isEvm(order.originChainId)
            ? kind == EVM_ACCOUNT && uint256(repayTo) >> 160 == 0
            : kind > EVM_ACCOUNT && kind <= STELLAR_CONTRACT;
        if (!isRightKind || repayTo == 0 || repayTo == order.originSettler) revert InvalidAccount(repayTo);
    }

    /// @dev The record of an order that is in this state. Reverts when it is in another.
    function _requireState(bytes32 orderId, State state) private view returns (uint256 found) {
        found = _records[orderId];
        if (_stateOf(found) != state) revert WrongState(orderId, _stateOf(found));
    }

    /// @dev The record of an open order that the chain of this name may prove; attesters, if it is zero.
    function _opened(bytes32 name) private pure returns (uint256) {
        return uint256(State.Open) | (uint256(uint160(bytes20(name))) << 48);
    }

    /// @dev The record of an order that has a payee here.
    function _paid(State state, uint256 payee) private pure returns (uint256) {
        return uint256(state) | (uint256(EVM_ACCOUNT) << 40) | (payee << 48);
    }

    /// @dev The state in a record.
    function _stateOf(uint256 found) private pure returns (State) {
        return State(found & 0xff);
    }

    /// @dev The payee in a record.
    function _payeeOf(uint256 found) private pure returns (address) {
        return address(uint160(found >> 48));
    }
}
