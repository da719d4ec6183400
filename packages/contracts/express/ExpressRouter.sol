// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {
    AxelarExpressExecutableWithToken
} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/express/AxelarExpressExecutableWithToken.sol";
import {IAxelarGasService} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/interfaces/IAxelarGasService.sol";
import {AddressToString} from "@axelar-network/axelar-gmp-sdk-solidity/contracts/libs/AddressString.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {Exchange} from "./Exchange.sol";
import {ExpressOrder, ExpressTransfer, expressTransfer} from "./ExpressTransfer.sol";
import {IExpressRouter} from "./interfaces/IExpressRouter.sol";
import {RemoteRouter, TrustedRouters} from "./TrustedRouters.sol";

/// @title Sends any token to any token of another chain: swaps into a token of the Axelar gateway, bridges it, swaps
/// again; or brings the bridge token back when the recipient's minimum cannot be met.
/// @notice Keeps nothing between two transactions. There is no owner, no pause and no upgrade; the only contracts ever
/// called are the tokens, the wrapped native asset, the exchange, the gateway and the gas service, with data made here.
/// @dev The base contract handles express executors: an executor pays the bridge token and is repaid when the approved
/// message arrives. Its message counts like the approved one only because the executor has paid for it.
contract ExpressRouter is
    IExpressRouter,
    AxelarExpressExecutableWithToken,
    TrustedRouters,
    Exchange,
    ReentrancyGuard
{
    using SafeERC20 for IERC20;

    /// @dev Input of the gateway: the receiving router in Axelar's terms, the message, and its token.
    struct Parcel {
        string axelarChain;
        string router;
        bytes payload;
        string symbol;
        address token;
        uint256 amount;
    }

    /// @notice Bounds of an order's delivery gas.
    uint256 public constant MINIMUM_DELIVERY_GAS = 100_000;
    uint256 public constant MAXIMUM_DELIVERY_GAS = 3_000_000;
    /// @dev Gas reserved for returning the bridge token; more than the 64th part that a call retains.
    uint256 private constant RETURN_GAS = 250_000;
    /// @dev A selector and the string of `Error(string)` up to one word.
    uint256 private constant MAXIMUM_REASON_BYTES = 100;

    /// @notice Takes payment for the delivery.
    IAxelarGasService public immutable gasService;

    mapping(address sender => mapping(bytes32 salt => bool)) private _usedSalts;

    /// @param gateway_ The Axelar gateway of this chain.
    /// @param gasService_ The Axelar gas service of this chain.
    /// @param swapRouter_ Uniswap v3's SwapRouter of this chain, which names the wrapped native asset.
    /// @param remotes_ The routers of the other chains, whose addresses are known before they are deployed.
    constructor(
        address gateway_,
        address gasService_,
        address swapRouter_,
        RemoteRouter[] memory remotes_
    )
        AxelarExpressExecutableWithToken(gateway_)
        TrustedRouters(remotes_)
        Exchange(swapRouter_)
    {
        if (gasService_ == address(0)) revert InvalidAddress();
        gasService = IAxelarGasService(gasService_);
    }

    /// @inheritdoc IExpressRouter
    function isSaltUsed(address sender, bytes32 salt) external view returns (bool) {
        return _usedSalts[sender][salt];
    }

    /// @inheritdoc IExpressRouter
    function send(ExpressOrder calldata order) external payable nonReentrant returns (bytes32 transferId) {
        RemoteRouter storage remote = _remote(order.destinationChainId);
        _requireSendable(order, remote.router);
        _usedSalts[msg.sender][order.salt] = true;
        uint256 gasPayment = _gasPayment(order);
        address bridgeToken = _bridgeToken(order.symbol);
        uint256 amount = _takeInput(order, bridgeToken);
        bytes memory payload = abi.encode(expressTransfer(order, msg.sender, amount));
        Parcel memory parcel = _parcel(remote, payload, order.symbol, bridgeToken, amount);
        transferId = keccak256(payload);
        _payGas(parcel, gasPayment, order.refundAddress);
        _bridge(parcel);
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

    /// @notice Pays a recipient from the bridge token this contract has just been given. Only this contract calls it,
    /// so that a delivery which fails half-way leaves nothing behind.
    /// @param bridgeToken The token that has crossed.
    /// @param transfer The transfer.
    /// @return amount The amount that the recipient received.
    function deliver(address bridgeToken, ExpressTransfer calldata transfer) external returns (uint256 amount) {
        if (msg.sender != address(this)) revert OnlyItself(msg.sender);
        if (_isOurs(transfer.recipient)) revert InvalidParty(transfer.recipient);
        address output = _wrapped(transfer.outputToken);
        amount = transfer.amount;
        bool isSwap = transfer.outputPath.length > 0;
        if (isSwap) _requirePath(transfer.outputPath, bridgeToken, output);
        else if (bridgeToken != output) revert InvalidPath(bridgeToken, output, transfer.outputPath);
        if (isSwap && bridgeToken == address(wrappedNative)) wrappedNative.withdraw(amount);
        bool isNative = transfer.outputToken == address(0);
        if (isSwap) {
            address payee = isNative ? address(this) : transfer.recipient;
            amount = _swap(transfer.outputPath, amount, transfer.minimumAmount, payee);
        } else if (amount < transfer.minimumAmount) revert TooLittleOutput(amount, transfer.minimumAmount);
        if (isNative) wrappedNative.withdraw(amount);
        if (isNative || !isSwap) _pay(transfer.outputToken, transfer.recipient, amount);
    }

    /// @dev A message without a token is never sent by a trusted router.
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
    ) internal override nonReentrant {
        if (msg.value != 0) revert UnexpectedValue(msg.value);
        uint256 remoteChainId = _sourceChainId(sourceChain, sourceAddress);
        bytes32 transferId = keccak256(payload);
        ExpressTransfer memory transfer = abi.decode(payload, (ExpressTransfer));
        if (transfer.amount != amount) revert WrongTransfer(transferId);
        if (transfer.sourceChainId == remoteChainId && transfer.destinationChainId == block.chainid)
            _deliverOrReturn(commandId, transferId, transfer, payload, symbol);
        else if (
            transfer.sourceChainId == block.chainid &&
            transfer.destinationChainId == remoteChainId &&
            keccak256(bytes(transfer.symbol)) == keccak256(bytes(symbol))
        ) _refund(commandId, transferId, transfer, symbol);
        else revert WrongTransfer(transferId);
    }

    function _deliverOrReturn(
        bytes32 commandId,
        bytes32 transferId,
        ExpressTransfer memory transfer,
        bytes calldata payload,
        string calldata symbol
    ) private {
        address bridgeToken = _bridgeToken(symbol);
        (bool isDelivered, uint256 amount, bytes memory reason) = _tryDeliver(bridgeToken, transfer);
        if (isDelivered) {
            emit Delivered(transferId, commandId, transfer.recipient, transfer.outputToken, amount);
            return;
        }
        _bridge(_parcel(_remote(transfer.sourceChainId), payload, symbol, bridgeToken, transfer.amount));
        emit Returned(transferId, commandId, transfer.sourceChainId, bridgeToken, transfer.amount, reason);
    }

    function _refund(
        bytes32 commandId,
        bytes32 transferId,
        ExpressTransfer memory transfer,
        string calldata symbol
    ) private {
        if (transfer.refundAddress == address(this)) revert InvalidParty(transfer.refundAddress);
        address token = _bridgeToken(symbol);
        IERC20(token).safeTransfer(transfer.refundAddress, transfer.amount);
        emit Refunded(transferId, commandId, transfer.refundAddress, token, transfer.amount);
    }

    /// @dev Delivers with exactly the order's gas, so that a caller cannot make a delivery fail by giving less, and
    /// copies at most as much of an error as the event holds.
    function _tryDeliver(
        address bridgeToken,
        ExpressTransfer memory transfer
    ) private returns (bool success, uint256 amount, bytes memory reason) {
        bytes memory callData = abi.encodeCall(this.deliver, (bridgeToken, transfer));
        uint256 gasLimit = transfer.deliveryGas;
        uint256 needed = gasLimit + RETURN_GAS;
        if (gasleft() < needed) revert InsufficientGas(gasleft(), needed);
        uint256 size;
        assembly ("memory-safe") {
            success := call(gasLimit, address(), 0, add(callData, 32), mload(callData), 0, 32)
            amount := mload(0)
            size := returndatasize()
        }
        if (success) return (true, amount, "");
        if (size > MAXIMUM_REASON_BYTES) size = MAXIMUM_REASON_BYTES;
        reason = new bytes(size);
        assembly ("memory-safe") {
            returndatacopy(add(reason, 32), 0, size)
        }
    }

    /// @dev Turns the order's input into the bridge token.
    /// @return amount This contract's balance of it afterwards.
    function _takeInput(ExpressOrder calldata order, address bridgeToken) private returns (uint256 amount) {
        bool isNative = order.inputToken == address(0);
        address input = _wrapped(order.inputToken);
        if (!isNative) _collect(IERC20(input), order.inputAmount);
        if (order.inputPath.length == 0) {
            if (input != bridgeToken) revert InvalidPath(input, bridgeToken, order.inputPath);
            if (isNative) wrappedNative.deposit{value: order.inputAmount}();
            amount = order.inputAmount;
            if (amount < order.minimumBridgeAmount) revert TooLittleOutput(amount, order.minimumBridgeAmount);
            return amount;
        }
        _requirePath(order.inputPath, input, bridgeToken);
        if (!isNative && input == address(wrappedNative)) wrappedNative.withdraw(order.inputAmount);
        return _swap(order.inputPath, order.inputAmount, order.minimumBridgeAmount, address(this));
    }

    /// @dev The gateway takes all of the amount and of the allowance.
    function _bridge(Parcel memory parcel) private {
        IERC20(parcel.token).forceApprove(address(gateway()), parcel.amount);
        gatewayWithToken().callContractWithToken(
            parcel.axelarChain,
            parcel.router,
            parcel.payload,
            parcel.symbol,
            parcel.amount
        );
    }

    function _payGas(Parcel memory parcel, uint256 gasPayment, address refundAddress) private {
        gasService.payNativeGasForExpressCallWithToken{value: gasPayment}(
            address(this),
            parcel.axelarChain,
            parcel.router,
            parcel.payload,
            parcel.symbol,
            parcel.amount,
            refundAddress
        );
    }

    function _parcel(
        RemoteRouter storage remote,
        bytes memory payload,
        string memory symbol,
        address token,
        uint256 amount
    ) private view returns (Parcel memory) {
        return Parcel(remote.axelarChain, AddressToString.toString(remote.router), payload, symbol, token, amount);
    }

    /// @dev Value paid to a router itself would be lost.
    function _requireSendable(ExpressOrder calldata order, address remote) private view {
        if (block.timestamp > order.deadline) revert DeadlinePassed(order.deadline);
        if (_usedSalts[msg.sender][order.salt]) revert SaltUsed(msg.sender, order.salt);
        if (order.inputAmount == 0 || order.minimumBridgeAmount == 0 || order.minimumAmount == 0) revert ZeroAmount();
        if (order.recipient == address(0) || order.recipient == remote) revert InvalidParty(order.recipient);
        if (order.refundAddress == address(0) || order.refundAddress == address(this))
            revert InvalidParty(order.refundAddress);
        if (order.deliveryGas < MINIMUM_DELIVERY_GAS || order.deliveryGas > MAXIMUM_DELIVERY_GAS)
            revert InvalidDeliveryGas(order.deliveryGas, MINIMUM_DELIVERY_GAS, MAXIMUM_DELIVERY_GAS);
    }

    /// @dev Payments to these accounts end up in this contract: the wrapped native asset credits its payer with tokens.
    function _isOurs(address account) private view returns (bool) {
        return account == address(this) || account == address(wrappedNative);
    }

    /// @dev The call's value above the input, which pays for the relay of the message.
    function _gasPayment(ExpressOrder calldata order) private view returns (uint256) {
        uint256 input = order.inputToken == address(0) ? order.inputAmount : 0;
        if (msg.value <= input) revert MissingGasPayment(msg.value, input);
        return msg.value - input;
    }

    function _bridgeToken(string calldata symbol) private view returns (address token) {
        token = gatewayWithToken().tokenAddresses(symbol);
        if (token == address(0)) revert UnknownSymbol(symbol);
    }
}
