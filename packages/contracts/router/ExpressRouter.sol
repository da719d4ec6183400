// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {
    AxelarExpressExecutableWithToken
} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/express/AxelarExpressExecutableWithToken.sol";
import {IAxelarGasService} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/interfaces/IAxelarGasService.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ChainFacts, IChainFacts} from "../factory/ChainFacts.sol";
import {foldChainName} from "../factory/ChainName.sol";
import {OwnAddress} from "../factory/OwnAddress.sol";
import {ExpressOrder, ExpressTransfer} from "./ExpressTransfer.sol";
import {IExpressRouter} from "./interfaces/IExpressRouter.sol";
import {PoolSwaps} from "./PoolSwaps.sol";

/// @title Sends any token to any token of another chain: swaps into a token of the Axelar gateway, bridges it, swaps
/// again.
/// @notice A delivery pays at least the recipient's minimum or reverts; a message that reverted stays approved and can
/// be executed again. It goes back by `giveBack` alone, never because a delivery failed at somebody's hand. This
/// contract keeps nothing between two transactions. There is no owner, no pause and no upgrade.
/// @dev The base contract handles express executors: an executor pays the bridge token and is repaid when the approved
/// message arrives. Its message counts like the approved one only because the executor has paid for it.
contract ExpressRouter is IExpressRouter, AxelarExpressExecutableWithToken, OwnAddress, PoolSwaps {
    using SafeERC20 for IERC20;

    /// @dev A message that this contract believes, and which way it goes.
    struct Arrival {
        bytes32 transferId;
        bool isReturn;
        address token;
        ExpressTransfer transfer;
    }

    /// @notice How long after sending strangers may be kept from executing, and from giving back, in seconds.
    uint256 public constant MAXIMUM_PRIORITY_SECONDS = 10 minutes;
    uint256 public constant MAXIMUM_RETURN_SECONDS = 24 hours;
    /// @notice An integrator's highest fee, in hundredths of a percent.
    uint256 public constant MAXIMUM_FEE_BPS = 100;
    uint256 private constant BPS = 10_000;

    /// @notice Takes payment for the delivery.
    IAxelarGasService public immutable gasService;
    /// @notice Axelar's name of this chain, in lower case and left-aligned.
    bytes32 public immutable chainName;

    mapping(address sender => mapping(bytes32 salt => bool)) private _usedSalts;

    /// @dev The factory tells the facts of this chain.
    constructor()
        AxelarExpressExecutableWithToken(IChainFacts(msg.sender).facts().gateway)
        PoolSwaps(IChainFacts(msg.sender).facts())
    {
        ChainFacts memory facts = IChainFacts(msg.sender).facts();
        gasService = IAxelarGasService(facts.gasService);
        chainName = facts.chainName;
    }

    /// @inheritdoc IExpressRouter
    function isSaltUsed(address sender, bytes32 salt) external view returns (bool) {
        return _usedSalts[sender][salt];
    }

    /// @inheritdoc IExpressRouter
    function decode(bytes calldata payload) external pure returns (ExpressTransfer memory) {
        return abi.decode(payload, (ExpressTransfer));
    }

    /// @inheritdoc IExpressRouter
    function send(ExpressOrder calldata order) external payable locked returns (bytes32 transferId) {
        _requireSendable(order);
        _usedSalts[msg.sender][order.salt] = true;
        uint256 gasPayment = _gasPayment(order);
        address bridgeToken = _bridgeToken(order.symbol);
        uint256 amount = _takeInput(order, bridgeToken);
        if (amount < order.minimumBridgeAmount) revert TooLittleOutput(amount, order.minimumBridgeAmount);
        bytes memory payload = abi.encode(_transferOf(order, amount));
        transferId = keccak256(payload);
        _payGas(order, payload, amount, gasPayment);
        _bridge(order.destinationChain, payload, order.symbol, bridgeToken, amount);
        emit Sent(
            transferId,
            msg.sender,
            order.destinationChainId,
            order.inputToken,
            order.inputAmount,
            bridgeToken,
            amount
        );
    }

    /// @inheritdoc IExpressRouter
    function giveBack(
        bytes32 commandId,
        string calldata sourceChain,
        string calldata sourceAddress,
        bytes calldata payload,
        string calldata symbol,
        uint256 amount
    ) external payable locked {
        Arrival memory arrival = _arrivalOf(sourceChain, sourceAddress, payload, symbol, amount);
        ExpressTransfer memory transfer = arrival.transfer;
        if (arrival.isReturn) revert WrongTransfer(arrival.transferId);
        bool isEntitled = msg.sender == transfer.sender ||
            msg.sender == transfer.recipient ||
            msg.sender == transfer.keeper;
        if (!isEntitled && block.timestamp <= transfer.returnAfter) revert TooEarly(transfer.returnAfter);
        _take(commandId, sourceChain, sourceAddress, payload, symbol, amount);
        if (msg.value > 0)
            gasService.payNativeGasForContractCallWithToken{value: msg.value}(
                address(this),
                sourceChain,
                _ownAddress(),
                payload,
                symbol,
                amount,
                msg.sender
            );
        _bridge(sourceChain, payload, symbol, arrival.token, amount);
        emit Returned(arrival.transferId, commandId, msg.sender, arrival.token, amount);
    }

    /// @inheritdoc IExpressRouter
    function refundTo(
        bytes32 commandId,
        string calldata sourceChain,
        string calldata sourceAddress,
        bytes calldata payload,
        string calldata symbol,
        uint256 amount,
        address to
    ) external locked {
        Arrival memory arrival = _arrivalOf(sourceChain, sourceAddress, payload, symbol, amount);
        if (!arrival.isReturn) revert WrongTransfer(arrival.transferId);
        if (msg.sender != arrival.transfer.sender && msg.sender != arrival.transfer.refundAddress)
            revert NotPayee(msg.sender);
        _take(commandId, sourceChain, sourceAddress, payload, symbol, amount);
        _refund(commandId, arrival, to);
    }

    /// @dev A message without a token is never sent by this contract.
    function _execute(bytes32, string calldata, string calldata, bytes calldata) internal pure override {
        revert TokenRequired();
    }

    /// @dev Takes a message with its token: one that the gateway has approved, or one that an executor has paid for.
    function _executeWithToken(
        bytes32 commandId,
        string calldata sourceChain,
        string calldata sourceAddress,
        bytes calldata payload,
        string calldata symbol,
        uint256 amount
    ) internal override locked {
        if (msg.value != 0) revert UnexpectedValue(msg.value);
        Arrival memory arrival = _arrivalOf(sourceChain, sourceAddress, payload, symbol, amount);
        if (arrival.isReturn) _refund(commandId, arrival, arrival.transfer.refundAddress);
        else _deliver(commandId, arrival);
    }

    /// @dev Believes a message of this same address whose two chains are the one it comes from and this one. The
    /// gateway decides the token, not the message, so a chain that lies can only give its own tokens away.
    function _arrivalOf(
        string calldata sourceChain,
        string calldata sourceAddress,
        bytes calldata payload,
        string calldata symbol,
        uint256 amount
    ) private view returns (Arrival memory arrival) {
        if (!_isOwnAddress(sourceAddress)) revert UntrustedSource(sourceChain, sourceAddress);
        bytes32 from = foldChainName(sourceChain);
        ExpressTransfer memory transfer = abi.decode(payload, (ExpressTransfer));
        bool isDelivery = transfer.sourceChain == from &&
            transfer.destinationChain == chainName &&
            transfer.destinationChainId == block.chainid;
        bool isReturn = transfer.destinationChain == from &&
            transfer.sourceChain == chainName &&
            transfer.sourceChainId == block.chainid &&
            keccak256(bytes(transfer.symbol)) == keccak256(bytes(symbol));
        arrival = Arrival(keccak256(payload), isReturn, _bridgeToken(symbol), transfer);
        if (transfer.amount != amount || isDelivery == isReturn) revert WrongTransfer(arrival.transferId);
    }

    /// @dev Takes the token of an approved message that no executor has delivered. One that an executor has delivered
    /// is for `executeWithToken`, which repays it.
    function _take(
        bytes32 commandId,
        string calldata sourceChain,
        string calldata sourceAddress,
        bytes calldata payload,
        string calldata symbol,
        uint256 amount
    ) private {
        bytes32 payloadHash = keccak256(payload);
        address executor = _getExpressExecutorWithToken(
            commandId,
            sourceChain,
            sourceAddress,
            payloadHash,
            symbol,
            amount
        );
        if (executor != address(0)) revert AlreadyExpressed(executor);
        bool isApproved = gatewayWithToken().validateContractCallAndMint(
            commandId,
            sourceChain,
            sourceAddress,
            payloadHash,
            symbol,
            amount
        );
        if (!isApproved) revert NotApprovedByGateway();
    }

    /// @dev Pays at least the minimum or reverts. In the priority the named executor and the keeper alone deliver.
    function _deliver(bytes32 commandId, Arrival memory arrival) private {
        ExpressTransfer memory transfer = arrival.transfer;
        bool isReserved = transfer.executor != address(0) && block.timestamp <= transfer.priorityUntil;
        if (isReserved && msg.sender != transfer.executor && msg.sender != transfer.keeper)
            revert TooEarly(transfer.priorityUntil);
        // Payments to these accounts end up in this contract: the wrapped native asset credits its payer with tokens.
        if (transfer.recipient == address(this) || transfer.recipient == address(wrappedNative))
            revert InvalidParty(transfer.recipient);
        uint256 amount = _payOutput(arrival, transfer);
        if (amount < transfer.minimumAmount) revert TooLittleOutput(amount, transfer.minimumAmount);
        emit Delivered(arrival.transferId, commandId, transfer.recipient, transfer.outputToken, amount);
    }

    /// @return amount What the recipient has received.
    function _payOutput(Arrival memory arrival, ExpressTransfer memory transfer) private returns (uint256 amount) {
        bool isNative = transfer.outputToken == address(0);
        address output = _wrapped(transfer.outputToken);
        bool isDirect = transfer.outputPath.length > 0 && !isNative && transfer.integratorFeeBps == 0;
        amount = transfer.amount;
        if (transfer.outputPath.length > 0) {
            _requirePath(transfer.outputPath, arrival.token, output);
            amount = _swap(transfer.outputPath, amount, isDirect ? transfer.recipient : address(this));
        } else if (arrival.token != output) revert InvalidPath(arrival.token, output, transfer.outputPath);
        if (isDirect) return amount;
        amount -= _payFee(arrival.transferId, IERC20(output), amount, transfer);
        if (isNative) _pushNative(transfer.recipient, amount);
        else amount = _push(IERC20(output), transfer.recipient, amount);
    }

    /// @dev Pays the integrator in tokens, wrapped for the native asset, so that it cannot stop the delivery or call
    /// back. The recipient gets a fee that the token refuses to pay.
    function _payFee(
        bytes32 transferId,
        IERC20 token,
        uint256 amount,
        ExpressTransfer memory transfer
    ) private returns (uint256 fee) {
        fee = (amount * transfer.integratorFeeBps) / BPS;
        if (fee == 0 || !_tryPush(token, transfer.integrator, fee)) return 0;
        emit FeePaid(transferId, transfer.integrator, address(token), fee);
    }

    /// @dev Pays the bridge token that came back to this chain, whole.
    function _refund(bytes32 commandId, Arrival memory arrival, address to) private {
        if (to == address(0) || to == address(this)) revert InvalidParty(to);
        uint256 amount = arrival.transfer.amount;
        IERC20(arrival.token).safeTransfer(to, amount);
        emit Refunded(arrival.transferId, commandId, to, arrival.token, amount);
    }

    /// @dev Turns the order's input into the bridge token.
    /// @return How much of it this contract has got.
    function _takeInput(ExpressOrder calldata order, address bridgeToken) private returns (uint256) {
        address input = _wrapped(order.inputToken);
        if (order.inputToken == address(0)) wrappedNative.deposit{value: order.inputAmount}();
        else _collect(IERC20(input), order.inputAmount);
        if (order.inputPath.length > 0) {
            _requirePath(order.inputPath, input, bridgeToken);
            return _swap(order.inputPath, order.inputAmount, address(this));
        }
        if (input != bridgeToken) revert InvalidPath(input, bridgeToken, order.inputPath);
        return order.inputAmount;
    }

    /// @dev Pays Axelar's gas service for the relay; what it does not use goes to the refund address.
    function _payGas(ExpressOrder calldata order, bytes memory payload, uint256 amount, uint256 gasPayment) private {
        gasService.payNativeGasForExpressCallWithToken{value: gasPayment}(
            address(this),
            order.destinationChain,
            _ownAddress(),
            payload,
            order.symbol,
            amount,
            order.refundAddress
        );
    }

    /// @dev The gateway takes all of the amount and of the allowance.
    function _bridge(
        string calldata chain,
        bytes memory payload,
        string calldata symbol,
        address token,
        uint256 amount
    ) private {
        IERC20(token).forceApprove(address(gateway()), amount);
        gatewayWithToken().callContractWithToken(chain, _ownAddress(), payload, symbol, amount);
    }

    /// @dev The message of an order: what its sender asked for, where it comes from, and what is bridged.
    function _transferOf(
        ExpressOrder calldata order,
        uint256 amount
    ) private view returns (ExpressTransfer memory transfer) {
        transfer.sourceChain = chainName;
        transfer.destinationChain = foldChainName(order.destinationChain);
        transfer.sourceChainId = block.chainid;
        transfer.destinationChainId = order.destinationChainId;
        transfer.sender = msg.sender;
        transfer.salt = order.salt;
        transfer.refundAddress = order.refundAddress;
        transfer.symbol = order.symbol;
        transfer.amount = amount;
        transfer.outputToken = order.outputToken;
        transfer.outputPath = order.outputPath;
        transfer.minimumAmount = order.minimumAmount;
        transfer.recipient = order.recipient;
        transfer.keeper = order.keeper;
        transfer.executor = order.executor;
        transfer.priorityUntil = order.priorityUntil;
        transfer.returnAfter = order.returnAfter;
        transfer.integrator = order.integrator;
        transfer.integratorFeeBps = order.integratorFeeBps;
    }

    /// @dev Value paid to a router would be lost.
    function _requireSendable(ExpressOrder calldata order) private view {
        if (block.timestamp > order.deadline) revert DeadlinePassed(order.deadline);
        if (
            order.priorityUntil > block.timestamp + MAXIMUM_PRIORITY_SECONDS ||
            order.returnAfter <= block.timestamp ||
            order.returnAfter > block.timestamp + MAXIMUM_RETURN_SECONDS
        ) revert WrongDeadlines();
        if (order.destinationChainId == block.chainid || foldChainName(order.destinationChain) == chainName)
            revert WrongDestination(order.destinationChainId, order.destinationChain);
        if (_usedSalts[msg.sender][order.salt]) revert SaltUsed(msg.sender, order.salt);
        if (order.inputAmount == 0 || order.minimumBridgeAmount == 0 || order.minimumAmount == 0) revert ZeroAmount();
        if (order.recipient == address(0) || order.recipient == address(this)) revert InvalidParty(order.recipient);
        if (order.refundAddress == address(0) || order.refundAddress == address(this))
            revert InvalidParty(order.refundAddress);
        uint16 feeBps = order.integratorFeeBps;
        if (feeBps > MAXIMUM_FEE_BPS || (feeBps == 0) != (order.integrator == address(0))) revert InvalidFee(feeBps);
    }

    /// @dev The call's value above the input, which pays for the relay of the message.
    function _gasPayment(ExpressOrder calldata order) private view returns (uint256) {
        uint256 input = order.inputToken == address(0) ? order.inputAmount : 0;
        if (msg.value <= input) revert MissingGasPayment(msg.value, input);
        return msg.value - input;
    }

    /// @dev The gateway's token of a symbol. Reverts for a symbol that the gateway does not know.
    function _bridgeToken(string calldata symbol) private view returns (address token) {
        token = gatewayWithToken().tokenAddresses(symbol);
        if (token == address(0)) revert UnknownSymbol(symbol);
    }
}
