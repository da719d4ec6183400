// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ExpressOrder, ExpressTransfer} from "../ExpressTransfer.sol";

/// @title Swap, bridge, swap: by the same contract on both chains.
interface IExpressRouter {
    /// @notice On the source chain: the bridge token is on its way.
    event Sent(
        bytes32 indexed transferId,
        address indexed sender,
        uint256 indexed destinationChainId,
        address inputToken,
        uint256 inputAmount,
        address bridgeToken,
        uint256 bridgeAmount
    );
    /// @notice On the destination chain: the recipient has received `amount`, at least the order's minimum.
    event Delivered(
        bytes32 indexed transferId,
        bytes32 indexed commandId,
        address indexed recipient,
        address token,
        uint256 amount
    );
    /// @notice On the destination chain: the integrator has been paid its part of a delivery's output, in a wrapped
    /// token for the native asset.
    event FeePaid(bytes32 indexed transferId, address indexed integrator, address token, uint256 amount);
    /// @notice On the destination chain: the transfer was given back, and the bridge token goes to the source. It
    /// arrives once the gas of the gateway's message is paid, whose payload hash is the transfer's identifier.
    event Returned(
        bytes32 indexed transferId,
        bytes32 indexed commandId,
        address indexed caller,
        address token,
        uint256 amount
    );
    /// @notice On the source chain: the bridge token of a transfer that was given back has been paid.
    event Refunded(
        bytes32 indexed transferId,
        bytes32 indexed commandId,
        address indexed to,
        address token,
        uint256 amount
    );

    /// @notice The order may not be sent any more.
    error DeadlinePassed(uint32 deadline);
    /// @notice A priority or return time that has passed or lies too far ahead.
    error WrongDeadlines();
    /// @notice The sender has used this salt before.
    error SaltUsed(address sender, bytes32 salt);
    /// @notice An order that moves nothing.
    error ZeroAmount();
    /// @notice A recipient or refund address that would lose what it is paid.
    error InvalidParty(address party);
    /// @notice An integrator's fee above the maximum, without an integrator, or an integrator without a fee.
    error InvalidFee(uint256 feeBps);
    /// @notice The gateway has no token of this symbol.
    error UnknownSymbol(string symbol);
    /// @notice The destination is this chain.
    error WrongDestination(uint256 chainId, string chain);
    /// @notice The value sent leaves nothing for the relay of the message.
    error MissingGasPayment(uint256 given, uint256 needed);
    /// @notice Native value came with a delivery, which needs none.
    error UnexpectedValue(uint256 given);
    /// @notice The message comes from another address than this one.
    error UntrustedSource(string chain, string sender);
    /// @notice The message names other chains, another token or another amount than it came with.
    error WrongTransfer(bytes32 transferId);
    /// @notice Until this time, in seconds since 1970, the call is reserved for others.
    error TooEarly(uint32 until);
    /// @notice The caller is neither the sender nor the refund address.
    error NotPayee(address caller);
    /// @notice An executor has delivered the transfer before the message was approved, and is repaid by executing it.
    error AlreadyExpressed(address executor);
    /// @notice A message without a token, which routers do not send.
    error TokenRequired();

    /// @notice Starts a transfer: takes the input, swaps it into the bridge token if need be, and sends that to the
    /// router of the destination chain. The input is native value or an ERC-20 that the caller has approved; all native
    /// value beyond a native input pays the gas of an express delivery.
    /// @param order What is to be done.
    /// @return transferId The transfer's identifier.
    function send(ExpressOrder calldata order) external payable returns (bytes32 transferId);

    /// @notice On the destination chain: sends the bridge token of an approved and undelivered transfer back. The sender,
    /// the recipient and the keeper may at any time, anybody after `returnAfter`. Reverts when an executor has delivered
    /// it. The value sent pays the gas of the way back.
    /// @param commandId The gateway's command that approved the message.
    /// @param sourceChain The source chain, as approved.
    /// @param sourceAddress The source router, as approved.
    /// @param payload The message.
    /// @param symbol The gateway's name of the bridge token here.
    /// @param amount The amount of the bridge token.
    function giveBack(
        bytes32 commandId,
        string calldata sourceChain,
        string calldata sourceAddress,
        bytes calldata payload,
        string calldata symbol,
        uint256 amount
    ) external payable;

    /// @notice On the source chain: pays the bridge token of a transfer that was given back to another account than the
    /// refund address, for one that cannot receive it. Only the sender or the refund address may call.
    /// @param commandId The gateway's command that approved the message.
    /// @param sourceChain The chain it comes from, as approved.
    /// @param sourceAddress The router it comes from, as approved.
    /// @param payload The message.
    /// @param symbol The gateway's name of the bridge token here.
    /// @param amount The amount of the bridge token.
    /// @param to Who is paid.
    function refundTo(
        bytes32 commandId,
        string calldata sourceChain,
        string calldata sourceAddress,
        bytes calldata payload,
        string calldata symbol,
        uint256 amount,
        address to
    ) external;

    /// @notice Whether a sender has used a salt.
    /// @param sender The sender.
    /// @param salt The salt.
    /// @return Whether an order with that salt has been sent.
    function isSaltUsed(address sender, bytes32 salt) external view returns (bool);

    /// @notice Reads a message.
    /// @param payload The message.
    /// @return The transfer.
    function decode(bytes calldata payload) external pure returns (ExpressTransfer memory);
}
