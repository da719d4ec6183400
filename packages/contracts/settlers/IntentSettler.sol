// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AxelarExecutable} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/executable/AxelarExecutable.sol";
import {IAxelarGasService} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/interfaces/IAxelarGasService.sol";
import {ChainFacts, IChainFacts} from "../factory/ChainFacts.sol";
import {foldChainName, isFolded} from "../factory/ChainName.sol";
import {OwnAddress} from "../factory/OwnAddress.sol";
import {
    hashPair,
    INTENT_ORDER_LENGTH,
    INTENT_ORDER_TYPE,
    INTENT_ORDER_TYPEHASH,
    IntentOrder,
    intentOrderStructHash
} from "./IntentOrder.sol";
import {
    FillInstruction,
    GaslessCrossChainOrder,
    OnchainCrossChainOrder,
    Output,
    ResolvedCrossChainOrder
} from "./interfaces/IERC7683.sol";
import {IIntentSettler, Kind} from "./interfaces/IIntentSettler.sol";
import {Permissions} from "./Permissions.sol";

/// @title Escrows intents on their origin chain and delivers them on their destination chain.
/// @notice An order runs `open` on its origin, `fill` and `prove` on its destination, and on its origin the mark that
/// the proof leaves, and `claim`; or `refund` there. There is no owner, no pause and no upgrade. The escrow is paid to
/// the account that paid the recipient, against a proof by this same address on the destination chain; or to the depositor.
/// A filler other than the order's must see the order open in a final block of the origin whose own time is past
/// `exclusiveUntil`, because until then the solver may decline. Every filler must check the facts of both chains.
/// @dev Only the factory's owner can have put code at this address of another chain, and only this code. A chain can
/// lie about its own orders alone: an order's identifier contains its destination's name, and a mark is set under the
/// name of the chain that the gateway says the proof came from. One record serves both roles, because no order has the
/// same origin and destination.
contract IntentSettler is IIntentSettler, AxelarExecutable, Permissions, OwnAddress {
    /// @notice How far ahead of the opening an order's `refundAfter` may lie, in seconds.
    uint256 public constant MAXIMUM_ESCROW_SECONDS = 30 days;
    /// @notice How many orders one proof may hold.
    uint256 public constant MAXIMUM_BATCH_SIZE = 100;
    /// @notice How many times an integrator's fee, at least, the input is: a fee is 1 % at most.
    uint256 public constant MINIMUM_INPUT_PER_FEE = 100;
    /// @dev A digest and who is to be repaid.
    uint256 private constant PROOF_LENGTH = 64;

    /// @notice Takes payment for the relay of proofs.
    IAxelarGasService public immutable gasService;
    /// @notice Axelar's name of this chain, in lower case and left-aligned.
    bytes32 public immutable chainName;
    /// @notice How long, at least, an order filled here waits between its fill deadline and its refund, in seconds.
    uint32 public immutable proofWindow;
    /// @notice The EIP-712 domain of orders: name, version and this address, so that it is equal on every chain.
    bytes32 public immutable domainSeparator;

    /// @dev The kind in the lowest byte, and the account above it.
    mapping(bytes32 orderId => uint256) private _records;

    /// @dev The factory tells the facts of this chain.
    constructor() AxelarExecutable(IChainFacts(msg.sender).facts().gateway) {
        ChainFacts memory facts = IChainFacts(msg.sender).facts();
        gasService = IAxelarGasService(facts.gasService);
        chainName = facts.chainName;
        proofWindow = facts.proofWindow;
        domainSeparator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,address verifyingContract)"),
                keccak256("OpenRFQ IntentSettler"),
                keccak256("2"),
                address(this)
            )
        );
    }

    /// @inheritdoc IIntentSettler
    function record(bytes32 orderId) external view returns (Kind kind, address account) {
        uint256 found = _records[orderId];
        return (_kindOf(found), _accountOf(found));
    }

    /// @inheritdoc IIntentSettler
    function digestOf(IntentOrder calldata order) external view returns (bytes32) {
        return _digestOf(intentOrderStructHash(order));
    }

    /// @inheritdoc IIntentSettler
    function orderIdOf(IntentOrder calldata order) external view returns (bytes32) {
        return _idOf(order);
    }

    /// @notice Opens an order and escrows its input: native value, or an ERC-20 that the caller has approved. Only the
    /// depositor may, once, until `openDeadline`.
    /// @param wrapped The order as ERC-7683 wraps it; `orderData` is an ABI-encoded IntentOrder.
    function open(OnchainCrossChainOrder calldata wrapped) external payable {
        IntentOrder calldata order = _unwrap(wrapped.orderDataType, wrapped.orderData);
        if (wrapped.fillDeadline != order.fillDeadline) revert WrongWrapper();
        if (msg.sender != order.depositor) revert NotDepositor(msg.sender, order.depositor);
        bytes32 orderId = _begin(order, _digestOf(intentOrderStructHash(order)));
        _collect(order.inputToken, address(this), order.inputAmount);
        _announce(orderId, order);
    }

    /// @notice As `open`, by anybody with the depositor's permission, which binds the whole order. ERC-20 only.
    /// @param wrapped The order as ERC-7683 wraps it; the nonce is the order's salt.
    /// @param signature The permission; see Permissions.
    function openFor(GaslessCrossChainOrder calldata wrapped, bytes calldata signature, bytes calldata) external {
        _openBy(_unwrapGasless(wrapped), signature);
    }

    /// @inheritdoc IIntentSettler
    function openWith(IntentOrder calldata order, bytes calldata permission) external {
        if (msg.sender != order.depositor) revert NotDepositor(msg.sender, order.depositor);
        _openBy(order, permission);
    }

    /// @notice Puts an order into the terms every filler understands; says nothing about its status.
    /// @param wrapped The order as ERC-7683 wraps it.
    /// @return The resolved order, as `Open` announces it.
    function resolve(OnchainCrossChainOrder calldata wrapped) external view returns (ResolvedCrossChainOrder memory) {
        IntentOrder calldata order = _unwrap(wrapped.orderDataType, wrapped.orderData);
        if (wrapped.fillDeadline != order.fillDeadline) revert WrongWrapper();
        return _resolve(order, wrapped.orderData);
    }

    /// @notice As `resolve`, for an order that `openFor` opens.
    /// @param wrapped The order as ERC-7683 wraps it.
    /// @return The resolved order, as `Open` announces it.
    function resolveFor(
        GaslessCrossChainOrder calldata wrapped,
        bytes calldata
    ) external view returns (ResolvedCrossChainOrder memory) {
        return _resolve(_unwrapGasless(wrapped), wrapped.orderData);
    }

    /// @notice Pays the recipient the exact output from the caller: native value, or an ERC-20 that the caller has
    /// approved. Once, until `fillDeadline`: by the filler for the solver's repayment, and after `exclusiveUntil` by
    /// anybody who says where to be repaid. Reverts when the recipient rejects the payment, and when the order leaves
    /// less time for a proof from here than `proofWindow`.
    /// @param orderId The order's identifier.
    /// @param originData The ABI-encoded IntentOrder.
    /// @param fillerData For a caller that is not the filler: the ABI-encoded address to be repaid on the origin chain.
    function fill(bytes32 orderId, bytes calldata originData, bytes calldata fillerData) external payable {
        IntentOrder calldata order = _decode(originData);
        bytes32 expected = _idOf(order);
        if (orderId != expected) revert WrongOrderId(orderId, expected);
        if (order.destinationChainId != block.chainid || order.destinationChain != chainName)
            revert WrongDestination(order.destinationChainId, order.destinationChain);
        if (block.timestamp > order.fillDeadline) revert FillDeadlinePassed(order.fillDeadline);
        if (order.refundAfter < uint256(order.fillDeadline) + proofWindow) revert WrongDeadlines();
        if (order.recipient == address(this) || order.recipient == msg.sender) revert InvalidParty(order.recipient);
        address repayTo = _repayTo(order, fillerData);
        _move(orderId, Kind.None, Kind.Filled, repayTo);
        _collect(order.outputToken, order.recipient, order.outputAmount);
        emit Filled(orderId, msg.sender, repayTo);
    }

    /// @inheritdoc IIntentSettler
    function prove(bytes32[] calldata digests, string calldata originChain) external payable {
        if (digests.length == 0 || digests.length > MAXIMUM_BATCH_SIZE) revert WrongBatchSize(digests.length);
        bytes memory payload = new bytes(digests.length * PROOF_LENGTH);
        for (uint256 i; i < digests.length; ++i) {
            bytes32 digest = digests[i];
            bytes32 orderId = hashPair(chainName, digest);
            uint256 found = _records[orderId];
            if (_kindOf(found) != Kind.Filled) revert WrongKind(orderId, _kindOf(found));
            address repayTo = _accountOf(found);
            assembly ("memory-safe") {
                let proof := add(payload, add(32, mul(i, PROOF_LENGTH)))
                mstore(proof, digest)
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

    /// @inheritdoc IIntentSettler
    function claim(IntentOrder[] calldata orders, address to) external {
        if (orders.length == 0) revert WrongBatchSize(0);
        address token = orders[0].inputToken;
        address payee = _accountOf(_records[_idOf(orders[0])]);
        _requirePayee(payee, to);
        uint256 sum;
        for (uint256 i; i < orders.length; ++i) sum += _release(orders[i], token, payee, to);
        _pay(token, to, sum);
    }

    /// @inheritdoc IIntentSettler
    function refund(IntentOrder calldata order, address to) external {
        bool isDeclined = msg.sender == order.solver && block.timestamp <= order.exclusiveUntil;
        if (!isDeclined && block.timestamp <= order.refundAfter) revert RefundTooEarly(order.refundAfter);
        _requirePayee(order.depositor, to);
        bytes32 orderId = _idOf(order);
        _move(orderId, Kind.Open, Kind.Refunded, address(0));
        _pay(order.inputToken, to, order.inputAmount);
        emit Refunded(orderId, to, order.inputAmount);
    }

    /// @dev Takes a proof that the gateway has approved. Marks the orders that are open here and name the chain it
    /// comes from; another chain's proof finds no order, because the name is part of the identifier. Makes no payment, so
    /// that no order can keep another from its mark.
    function _execute(
        bytes32,
        string calldata sourceChain,
        string calldata sourceAddress,
        bytes calldata payload
    ) internal override {
        if (!_isOwnAddress(sourceAddress)) revert UntrustedSource(sourceChain, sourceAddress);
        if (payload.length % PROOF_LENGTH != 0) revert WrongProof();
        bytes32 destinationChain = foldChainName(sourceChain);
        for (uint256 i; i < payload.length; i += PROOF_LENGTH) {
            uint256 repayTo = uint256(bytes32(payload[i + 32:i + PROOF_LENGTH]));
            if (repayTo == 0 || repayTo > type(uint160).max) revert WrongProof();
            bytes32 orderId = hashPair(destinationChain, bytes32(payload[i:i + 32]));
            if (_kindOf(_records[orderId]) != Kind.Open) continue;
            _records[orderId] = uint256(Kind.Proven) | (repayTo << 8);
            emit Proven(orderId, address(uint160(repayTo)));
        }
    }

    /// @inheritdoc Permissions
    function _witnessType() internal pure override returns (string memory) {
        return
            string.concat(
                "IntentOrder witness)",
                INTENT_ORDER_TYPE,
                "TokenPermissions(address token,uint256 amount)"
            );
    }

    /// @dev Opens an order whose input a permission moves.
    function _openBy(IntentOrder calldata order, bytes calldata permission) private {
        bytes32 witness = intentOrderStructHash(order);
        bytes32 digest = _digestOf(witness);
        bytes32 orderId = _begin(order, digest);
        _collectBy(
            permission,
            Pull(
                order.inputToken,
                order.depositor,
                order.inputAmount,
                order.openDeadline,
                orderId,
                digest,
                witness
            )
        );
        _announce(orderId, order);
    }

    /// @dev Opens an order before its input is taken; the whole call reverts when that fails.
    function _begin(IntentOrder calldata order, bytes32 digest) private returns (bytes32 orderId) {
        _requireOpenable(order);
        orderId = hashPair(order.destinationChain, digest);
        _move(orderId, Kind.None, Kind.Open, address(0));
    }

    /// @dev Marks a proven order as released and sets its integrator's fee aside; the caller pays the sum.
    function _release(
        IntentOrder calldata order,
        address token,
        address payee,
        address to
    ) private returns (uint256 amount) {
        bytes32 orderId = _idOf(order);
        uint256 found = _records[orderId];
        if (_kindOf(found) != Kind.Proven) revert WrongKind(orderId, _kindOf(found));
        if (_accountOf(found) != payee || order.inputToken != token) revert MixedBatch(orderId);
        _records[orderId] = (found & ~uint256(0xff)) | uint256(Kind.Released);
        amount = order.inputAmount - order.integratorFee;
        _earn(order.integrator, token, order.integratorFee);
        emit Released(orderId, payee, to, amount);
    }

    /// @dev Takes an order from one state to another, with the account to repay. Reverts when it is not in the first.
    function _move(bytes32 orderId, Kind from, Kind to, address account) private {
        Kind kind = _kindOf(_records[orderId]);
        if (kind != from) revert WrongKind(orderId, kind);
        _records[orderId] = uint256(to) | (uint256(uint160(account)) << 8);
    }

    /// @dev Reads every field, so that an order with dirty upper bits cannot be opened.
    function _requireOpenable(IntentOrder calldata order) private view {
        if (order.originChainId != block.chainid) revert WrongOrigin(order.originChainId);
        bytes32 destinationChain = order.destinationChain;
        if (
            order.destinationChainId == block.chainid || destinationChain == chainName || !isFolded(destinationChain)
        ) revert WrongDestination(order.destinationChainId, destinationChain);
        _requireDeadlines(order);
        if (order.inputAmount == 0 || order.outputAmount == 0) revert ZeroAmount();
        _requireParties(order);
    }

    /// @dev Reverts unless the deadlines are in order and the escrow ends in 30 days.
    function _requireDeadlines(IntentOrder calldata order) private view {
        (uint32 openDeadline, uint32 fillDeadline) = (order.openDeadline, order.fillDeadline);
        if (block.timestamp > openDeadline) revert OpenDeadlinePassed(openDeadline);
        uint32 refundAfter = order.refundAfter;
        if (
            openDeadline > fillDeadline ||
            order.exclusiveUntil > fillDeadline ||
            fillDeadline >= refundAfter ||
            refundAfter > block.timestamp + MAXIMUM_ESCROW_SECONDS
        ) revert WrongDeadlines();
    }

    /// @dev Value paid to a settler would be lost, and a filler's payment to itself cannot be measured.
    function _requireParties(IntentOrder calldata order) private view {
        (address solver, address filler, address recipient) = (order.solver, order.filler, order.recipient);
        if (solver == address(0) || solver == address(this)) revert InvalidParty(solver);
        if (filler == address(0) || filler == recipient) revert InvalidParty(filler);
        if (recipient == address(0) || recipient == address(this)) revert InvalidParty(recipient);
        if (order.outputToken == address(this)) revert InvalidParty(order.outputToken);
        (address integrator, uint256 fee) = (order.integrator, order.integratorFee);
        if (integrator == address(this)) revert InvalidParty(integrator);
        if (fee > order.inputAmount / MINIMUM_INPUT_PER_FEE || (fee == 0) != (integrator == address(0))) revert InvalidFee(fee);
    }

    /// @dev A stranger's own address may not exist on the origin chain, so it must name one.
    function _repayTo(IntentOrder calldata order, bytes calldata fillerData) private view returns (address repayTo) {
        if (msg.sender == order.filler) return order.solver;
        if (block.timestamp <= order.exclusiveUntil) revert NotFiller(msg.sender, order.filler);
        repayTo = abi.decode(fillerData, (address));
        if (repayTo == address(0) || repayTo == address(this)) revert InvalidParty(repayTo);
    }

    /// @dev The order in ERC-7683's data. Reverts for another type.
    function _unwrap(bytes32 orderDataType, bytes calldata orderData) private pure returns (IntentOrder calldata) {
        if (orderDataType != INTENT_ORDER_TYPEHASH) revert WrongOrderType(orderDataType);
        return _decode(orderData);
    }

    /// @dev The order in ERC-7683's gasless wrapper, whose fields must be the order's.
    function _unwrapGasless(
        GaslessCrossChainOrder calldata wrapped
    ) private view returns (IntentOrder calldata order) {
        order = _unwrap(wrapped.orderDataType, wrapped.orderData);
        if (
            wrapped.originSettler != address(this) ||
            wrapped.user != order.depositor ||
            bytes32(wrapped.nonce) != order.salt ||
            wrapped.originChainId != order.originChainId ||
            wrapped.openDeadline != order.openDeadline ||
            wrapped.fillDeadline != order.fillDeadline
        ) revert WrongWrapper();
    }

    /// @dev An order as it lies in calldata. Reverts for another length.
    function _decode(bytes calldata encoded) private pure returns (IntentOrder calldata order) {
        if (encoded.length != INTENT_ORDER_LENGTH) revert WrongOrderLength(encoded.length);
        assembly ("memory-safe") {
            order := encoded.offset
        }
    }

    /// @dev The id of an order: the hash of its destination's name and its digest.
    function _idOf(IntentOrder calldata order) private view returns (bytes32) {
        return hashPair(order.destinationChain, _digestOf(intentOrderStructHash(order)));
    }

    /// @dev The EIP-712 digest of an order, which its depositor signs.
    function _digestOf(bytes32 structHash) private view returns (bytes32 digest) {
        bytes32 separator = domainSeparator;
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, hex"1901")
            mstore(add(free, 2), separator)
            mstore(add(free, 34), structHash)
            digest := keccak256(free, 66)
        }
    }

    /// @dev The state in a record.
    function _kindOf(uint256 found) private pure returns (Kind) {
        return Kind(found & 0xff);
    }

    /// @dev The account to repay in a record.
    function _accountOf(uint256 found) private pure returns (address) {
        return address(uint160(found >> 8));
    }

    /// @dev Emits what `emit Open(orderId, _resolve(order))` would, byte for byte, for 6,500 gas less. All fields are
    /// clean, because `_requireOpenable` has read them.
    function _announce(bytes32 orderId, IntentOrder calldata order) private {
        bytes32 topic = Open.selector;
        assembly ("memory-safe") {
            let data := mload(0x40)
            let originChainId := calldataload(add(order, 0x40))
            let destinationChainId := calldataload(add(order, 0x60))
            mstore(data, 0x20)
            mstore(add(data, 0x20), calldataload(order)) // user
            mstore(add(data, 0x40), originChainId)
            mstore(add(data, 0x60), calldataload(add(order, 0xa0))) // openDeadline
            mstore(add(data, 0x80), calldataload(add(order, 0xe0))) // fillDeadline
            mstore(add(data, 0xa0), orderId)
            mstore(add(data, 0xc0), 0x100) // offset of maxSpent
            mstore(add(data, 0xe0), 0x1a0) // offset of minReceived
            mstore(add(data, 0x100), 0x240) // offset of fillInstructions
            mstore(add(data, 0x120), 1)
            mstore(add(data, 0x140), calldataload(add(order, 0x160))) // outputToken
            mstore(add(data, 0x160), calldataload(add(order, 0x180))) // outputAmount
            mstore(add(data, 0x180), calldataload(add(order, 0x1a0))) // recipient
            mstore(add(data, 0x1a0), destinationChainId)
            mstore(add(data, 0x1c0), 1)
            mstore(add(data, 0x1e0), calldataload(add(order, 0x120))) // inputToken
            // inputAmount less integratorFee
            mstore(add(data, 0x200), sub(calldataload(add(order, 0x140)), calldataload(add(order, 0x220))))
            mstore(add(data, 0x220), calldataload(add(order, 0x1c0))) // solver
            mstore(add(data, 0x240), originChainId)
            mstore(add(data, 0x260), 1)
            mstore(add(data, 0x280), 0x20)
            mstore(add(data, 0x2a0), destinationChainId)
            mstore(add(data, 0x2c0), address()) // destinationSettler
            mstore(add(data, 0x2e0), 0x60)
            mstore(add(data, 0x300), 0x240) // length of originData
            calldatacopy(add(data, 0x320), order, 0x240)
            log2(data, 0x560, topic, orderId)
        }
    }

    /// @dev What an order asks and gives, as ERC-7683 describes it.
    function _resolve(
        IntentOrder calldata order,
        bytes calldata originData
    ) private view returns (ResolvedCrossChainOrder memory resolved) {
        resolved.user = order.depositor;
        resolved.originChainId = order.originChainId;
        resolved.openDeadline = order.openDeadline;
        resolved.fillDeadline = order.fillDeadline;
        resolved.orderId = _idOf(order);
        resolved.maxSpent = _output(order.outputToken, order.outputAmount, order.recipient, order.destinationChainId);
        resolved.minReceived = _output(
            order.inputToken,
            order.inputAmount - order.integratorFee,
            order.solver,
            order.originChainId
        );
        resolved.fillInstructions = new FillInstruction[](1);
        resolved.fillInstructions[0] = FillInstruction({
            destinationChainId: order.destinationChainId,
            destinationSettler: _toBytes32(address(this)),
            originData: originData
        });
    }

    /// @dev One payment as ERC-7683 lists it.
    function _output(
        address token,
        uint256 amount,
        address recipient,
        uint256 chainId
    ) private pure returns (Output[] memory outputs) {
        outputs = new Output[](1);
        outputs[0] = Output(_toBytes32(token), amount, _toBytes32(recipient), chainId);
    }

    /// @dev An address as ERC-7683 writes accounts.
    function _toBytes32(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
