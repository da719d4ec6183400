// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice One intent with at least one chain without an EVM: the depositor's input on the origin chain, and the
/// recipient's output on the destination chain. Times are seconds since 1970, and amounts are base units.
/// Accounts and tokens are 32 bytes on every chain: an EVM address is left-padded, and token zero is the native asset
/// of an EVM chain and of Solana.
struct AttestedOrder {
    /// @dev Makes two otherwise equal orders different; any value.
    bytes32 salt;
    /// @dev The Keccak-256 hash of the chain's CAIP-2 identifier, as is `destinationChain`.
    bytes32 originChain;
    /// @dev An AttestedSettler on an EVM chain; where there is none, the account that keeps the deposits.
    bytes32 originSettler;
    /// @dev Opens the order, and is the only one ever refunded.
    bytes32 depositor;
    bytes32 inputToken;
    uint256 inputAmount;
    bytes32 destinationChain;
    bytes32 destinationSettler;
    bytes32 outputToken;
    uint256 outputAmount;
    /// @dev Gets exactly `outputAmount` on the destination chain.
    bytes32 recipient;
    /// @dev The part of the recipient's address beyond 32 bytes; zero if there is none, as on an EVM chain.
    uint256 recipientTag;
    /// @dev Is repaid `inputAmount` on the origin chain, and may decline the order there.
    bytes32 solver;
    /// @dev Alone may fill the order on the destination chain.
    bytes32 filler;
    /// @dev The last second at which the order may be opened.
    uint32 openDeadline;
    /// @dev The last second, by the destination chain's clock, at which it may be filled.
    uint32 fillDeadline;
    /// @dev After this second, by the origin chain's clock, anybody may have the depositor refunded.
    uint32 refundAfter;
    /// @dev Alone may say that the order was filled, by a signature on the origin chain.
    address attester;
}

/// @dev The EIP-712 type of an order.
bytes32 constant ATTESTED_ORDER_TYPEHASH = keccak256(
    "AttestedOrder(bytes32 salt,bytes32 originChain,bytes32 originSettler,bytes32 depositor,bytes32 inputToken,"
    "uint256 inputAmount,bytes32 destinationChain,bytes32 destinationSettler,bytes32 outputToken,uint256 outputAmount,"
    "bytes32 recipient,uint256 recipientTag,bytes32 solver,bytes32 filler,uint32 openDeadline,uint32 fillDeadline,"
    "uint32 refundAfter,address attester)"
);

/// @dev The EIP-712 type of what an attester signs: the order was filled, by this transaction of its destination chain.
bytes32 constant FILL_TYPEHASH = keccak256("Fill(bytes32 orderId,bytes32 transaction)");

/// @dev The EIP-712 domain of order ids. It names no chain and no contract, because the order names both of each.
bytes32 constant ATTESTED_ORDER_DOMAIN_SEPARATOR = keccak256(
    abi.encode(
        keccak256("EIP712Domain(string name,string version)"),
        keccak256("OpenRFQ AttestedSettler"),
        keccak256("1")
    )
);

/// @notice The identifier of an order: its EIP-712 hash, which covers every field, both chains and both settlers, and
/// can be computed before the order is opened.
/// @param order The order.
/// @return The identifier, equal on both chains.
function attestedOrderId(AttestedOrder memory order) pure returns (bytes32) {
    bytes32 structHash = keccak256(abi.encode(ATTESTED_ORDER_TYPEHASH, order));
    return keccak256(abi.encodePacked(hex"1901", ATTESTED_ORDER_DOMAIN_SEPARATOR, structHash));
}

/// @notice The digest that an attester signs to release an order: an EIP-712 hash under the domain of one settler on
/// one chain, which the order's own domain does not contain.
/// @param settler The settler that holds the escrow.
/// @param orderId The order's identifier.
/// @param transaction Names the transaction that filled the order.
/// @return The digest.
function fillDigest(address settler, bytes32 orderId, bytes32 transaction) view returns (bytes32) {
    bytes32 domainSeparator = keccak256(
        abi.encode(
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
            keccak256("OpenRFQ AttestedSettler"),
            keccak256("1"),
            block.chainid,
            settler
        )
    );
    bytes32 structHash = keccak256(abi.encode(FILL_TYPEHASH, orderId, transaction));
    return keccak256(abi.encodePacked(hex"1901", domainSeparator, structHash));
}
