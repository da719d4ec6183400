// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice The order that a sender signs. Times are seconds since 1970, amounts are base units, and token zero is the
/// native asset. A path is Uniswap v3's (token, three bytes of fee, token, ...), empty without a swap.
struct ExpressOrder {
    /// @dev Makes the order unique; one sender uses one salt once.
    bytes32 salt;
    /// @dev The last second at which the order may be sent.
    uint32 deadline;
    address inputToken;
    uint256 inputAmount;
    /// @dev From the input, wrapped if it is native, to the bridge token.
    bytes inputPath;
    /// @dev The gateway's name, on the source chain, of the token that crosses.
    string symbol;
    uint256 minimumBridgeAmount;
    /// @dev Is paid the bridge token, on the source chain, if the delivery fails; and the gas that was paid too much.
    address refundAddress;
    uint256 destinationChainId;
    address outputToken;
    /// @dev From the bridge token to the output, wrapped if it is native.
    bytes outputPath;
    uint256 minimumAmount;
    address recipient;
    /// @dev How much gas the delivery may use; a delivery that needs more has failed.
    uint32 deliveryGas;
}

/// @notice One transfer, as its message carries it to the destination and, if it is not delivered, back again. The hash
/// of its ABI encoding is the transfer's identifier, and is also the payload hash in every event of both gateways.
struct ExpressTransfer {
    uint256 sourceChainId;
    uint256 destinationChainId;
    address sender;
    bytes32 salt;
    address refundAddress;
    /// @dev The gateway's name, on the source chain, of the token that crosses.
    string symbol;
    /// @dev How much of that token crosses.
    uint256 amount;
    address outputToken;
    bytes outputPath;
    uint256 minimumAmount;
    address recipient;
    uint32 deliveryGas;
}

/// @notice The transfer that an order becomes when it is sent from this chain.
/// @param order The order.
/// @param sender Who sends it.
/// @param amount How much of the bridge token crosses.
/// @return transfer The transfer.
function expressTransfer(
    ExpressOrder calldata order,
    address sender,
    uint256 amount
) view returns (ExpressTransfer memory transfer) {
    transfer.sourceChainId = block.chainid;
    transfer.destinationChainId = order.destinationChainId;
    transfer.sender = sender;
    transfer.salt = order.salt;
    transfer.refundAddress = order.refundAddress;
    transfer.symbol = order.symbol;
    transfer.amount = amount;
    transfer.outputToken = order.outputToken;
    transfer.outputPath = order.outputPath;
    transfer.minimumAmount = order.minimumAmount;
    transfer.recipient = order.recipient;
    transfer.deliveryGas = order.deliveryGas;
}
