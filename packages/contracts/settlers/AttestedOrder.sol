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
    /// @dev Pays the input, and is the only one ever refunded.
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
    /// @dev Is repaid on the origin chain for the filler's fill, and may decline the order there.
    bytes32 solver;
    /// @dev Alone may fill the order until `exclusiveUntil`.
    bytes32 filler;
    /// @dev The last second at which the order may be opened.
    uint32 openDeadline;
    /// @dev The last second at which the filler alone may fill, by the destination chain's clock, and at which the
    /// solver may decline, by the origin chain's clock. Equal to `fillDeadline` where the destination has no EVM: a
    /// payment there cannot say whom to repay.
    uint32 exclusiveUntil;
    /// @dev The last second, by the destination chain's clock, at which it may be filled.
    uint32 fillDeadline;
    /// @dev After this second, by the origin chain's clock, anybody may have the depositor refunded.
    uint32 refundAfter;
    /// @dev Alone may say that the order was filled, by a signature on the origin chain.
    address attester;
    /// @dev Earns the fee on the origin chain; zero without one.
    bytes32 integrator;
    /// @dev The part of the input that the integrator earns when the filler is repaid; a refund is of the whole input.
    uint256 integratorFee;
}

/// @dev The words of an encoded order.
uint256 constant ATTESTED_ORDER_LENGTH = 21 * 32;

/// @dev The EIP-712 type of an order, as text and as hash.
string constant ATTESTED_ORDER_TYPE = "AttestedOrder(bytes32 salt,bytes32 originChain,bytes32 originSettler,"
"bytes32 depositor,bytes32 inputToken,uint256 inputAmount,bytes32 destinationChain,bytes32 destinationSettler,"
"bytes32 outputToken,uint256 outputAmount,bytes32 recipient,uint256 recipientTag,bytes32 solver,bytes32 filler,"
"uint32 openDeadline,uint32 exclusiveUntil,uint32 fillDeadline,uint32 refundAfter,address attester,"
"bytes32 integrator,uint256 integratorFee)";
bytes32 constant ATTESTED_ORDER_TYPEHASH = keccak256(bytes(ATTESTED_ORDER_TYPE));

/// @dev The EIP-712 type of what an attester signs: the order was filled, this account is to be repaid, and this
/// transaction of the destination chain did it.
bytes32 constant FILL_TYPEHASH = keccak256("Fill(bytes32 orderId,bytes32 repayTo,bytes32 transaction)");

/// @dev The EIP-712 domain of order ids. It names no chain and no contract, because the order names both of each.
bytes32 constant ATTESTED_ORDER_DOMAIN_SEPARATOR = keccak256(
    abi.encode(
        keccak256("EIP712Domain(string name,string version)"),
        keccak256("OpenRFQ AttestedSettler"),
        keccak256("2")
    )
);

/// @notice The EIP-712 hash of an order's fields as they stand in the calldata. A field with dirty upper bits gives a
/// hash that no order has that was ever opened, because opening reads every field.
/// @param order The order.
/// @return result The hash.
function attestedOrderStructHash(AttestedOrder calldata order) pure returns (bytes32 result) {
    bytes32 typeHash = ATTESTED_ORDER_TYPEHASH;
    uint256 length = ATTESTED_ORDER_LENGTH;
    assembly ("memory-safe") {
        let free := mload(0x40)
        mstore(free, typeHash)
        calldatacopy(add(free, 32), order, length)
        result := keccak256(free, add(length, 32))
    }
}

/// @notice The identifier of an order: its EIP-712 digest, which covers every field, both chains and both settlers,
/// and is what a depositor signs.
/// @param structHash The hash of the order's fields.
/// @return The identifier, equal on both chains.
function attestedOrderId(bytes32 structHash) pure returns (bytes32) {
    return keccak256(abi.encodePacked(hex"1901", ATTESTED_ORDER_DOMAIN_SEPARATOR, structHash));
}

/// @notice The digest that an attester signs to release an order: an EIP-712 hash under the domain of one settler on
/// one chain, which the order's own domain does not contain.
/// @param settler The settler that holds the escrow.
/// @param orderId The order's identifier.
/// @param repayTo Who is repaid.
/// @param transaction Names the transaction that filled the order.
/// @return The digest.
function fillDigest(address settler, bytes32 orderId, bytes32 repayTo, bytes32 transaction) view returns (bytes32) {
    bytes32 domainSeparator = keccak256(
        abi.encode(
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
            keccak256("OpenRFQ AttestedSettler"),
            keccak256("2"),
            block.chainid,
            settler
        )
    );
    bytes32 structHash = keccak256(abi.encode(FILL_TYPEHASH, orderId, repayTo, transaction));
    return keccak256(abi.encodePacked(hex"1901", domainSeparator, structHash));
}
