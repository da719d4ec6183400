// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ExpressOrder} from "../ExpressTransfer.sol";

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
    /// @notice On the destination chain: the recipient has been paid `amount`, at least the order's minimum.
    event Delivered(
        bytes32 indexed transferId,
        bytes32 indexed commandId,
        address indexed recipient,
        address token,
        uint256 amount
    );
    /// @notice On the destination chain: the recipient could not be paid, and the bridge token goes back. It arrives
    /// once somebody has paid the gas of the gateway's message in the same transaction, whose payload hash is the
    /// transfer's identifier.
    /// @param reason The first bytes, 100 at most, of what the delivery reverted with.
    event Returned(
        bytes32 indexed transferId,
        bytes32 indexed commandId,
        uint256 indexed sourceChainId,
        address token,
        uint256 amount,
        bytes reason
    );
    /// @notice On the source chain: the refund address has been paid the bridge token.
    event Refunded(
        bytes32 indexed transferId,
        bytes32 indexed commandId,
        address indexed refundAddress,
        address token,
        uint256 amount
    );

    error DeadlinePassed(uint32 deadline);
    error SaltUsed(address sender, bytes32 salt);
    error ZeroAmount();
    error InvalidParty(address party);
    error InvalidDeliveryGas(uint256 given, uint256 minimum, uint256 maximum);
    error UnknownSymbol(string symbol);
    error MissingGasPayment(uint256 given, uint256 needed);
    error UnexpectedValue(uint256 given);
    error WrongTransfer(bytes32 transferId);
    error InsufficientGas(uint256 left, uint256 needed);
    error OnlyItself(address caller);
    error TokenRequired();

    /// @notice Starts a transfer: takes the input, swaps it into the bridge token if need be, and sends that to the
    /// router of the destination chain. The input is native value or an ERC-20 that the caller has approved; all native
    /// value beyond a native input pays the gas of an express delivery.
    /// @param order What is to be done.
    /// @return transferId The transfer's identifier.
    function send(ExpressOrder calldata order) external payable returns (bytes32 transferId);

    /// @notice Whether a sender has used a salt.
    /// @param sender The sender.
    /// @param salt The salt.
    /// @return Whether an order with that salt has been sent.
    function isSaltUsed(address sender, bytes32 salt) external view returns (bool);
}
