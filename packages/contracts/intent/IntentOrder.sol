// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice One intent: the depositor's escrow on the origin chain, and the recipient's output on the destination chain.
/// Times are seconds since 1970, amounts are base units, and token zero is the native asset.
struct IntentOrder {
    /// @dev Opens the order, and is the only one ever refunded.
    address depositor;
    /// @dev Makes two otherwise equal orders different; any value.
    bytes32 salt;
    uint256 originChainId;
    address originSettler;
    uint256 destinationChainId;
    address destinationSettler;
    /// @dev The last second at which the order may be opened.
    uint32 openDeadline;
    /// @dev The last second, by the destination chain's clock, at which it may be filled.
    uint32 fillDeadline;
    /// @dev After this second, by the origin chain's clock, anybody may have the depositor refunded.
    uint32 refundAfter;
    address inputToken;
    uint256 inputAmount;
    address outputToken;
    uint256 outputAmount;
    /// @dev Gets exactly `outputAmount` on the destination chain.
    address recipient;
    /// @dev Is repaid `inputAmount` on the origin chain, and may decline the order there.
    address solver;
    /// @dev Alone may fill the order on the destination chain.
    address filler;
}

/// @dev The EIP-712 type of an order; ERC-7683 calls it the order data type.
bytes32 constant INTENT_ORDER_TYPEHASH = keccak256(
    "IntentOrder(address depositor,bytes32 salt,uint256 originChainId,address originSettler,uint256 destinationChainId,"
    "address destinationSettler,uint32 openDeadline,uint32 fillDeadline,uint32 refundAfter,address inputToken,"
    "uint256 inputAmount,address outputToken,uint256 outputAmount,address recipient,address solver,address filler)"
);

/// @dev The EIP-712 domain of order ids. It names no chain and no contract, because the order names both of each.
bytes32 constant INTENT_DOMAIN_SEPARATOR = keccak256(
    abi.encode(
        keccak256("EIP712Domain(string name,string version)"),
        keccak256("OpenRFQ IntentSettler"),
        keccak256("1")
    )
);

/// @notice The identifier of an order: its EIP-712 hash, which covers every field, both chains and both settlers, and
/// can be computed before the order is opened.
/// @param order The order.
/// @return The identifier, equal on both chains.
function intentOrderId(IntentOrder memory order) pure returns (bytes32) {
    bytes32 structHash = keccak256(abi.encode(INTENT_ORDER_TYPEHASH, order));
    return keccak256(abi.encodePacked(hex"1901", INTENT_DOMAIN_SEPARATOR, structHash));
}
