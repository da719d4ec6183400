// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice One intent: the depositor's escrow on the origin chain, and the recipient's output on the destination chain,
/// each kept by the settler at the same address. Times are seconds since 1970, amounts are base units, and token zero
/// is the native asset.
struct IntentOrder {
    /// @dev Pays the input, and is the only one ever refunded.
    address depositor;
    /// @dev Makes two otherwise equal orders different; any value.
    bytes32 salt;
    uint256 originChainId;
    uint256 destinationChainId;
    /// @dev Axelar's name of the destination chain, in lower case and left-aligned. A proof counts from there alone.
    bytes32 destinationChain;
    /// @dev The last second at which the order may be opened.
    uint32 openDeadline;
    /// @dev The last second at which the filler alone may fill, by the destination chain's clock, and at which the
    /// solver may decline, by the origin chain's clock.
    uint32 exclusiveUntil;
    /// @dev The last second, by the destination chain's clock, at which the order may be filled.
    uint32 fillDeadline;
    /// @dev After this second, by the origin chain's clock, anybody may have the depositor refunded.
    uint32 refundAfter;
    address inputToken;
    uint256 inputAmount;
    address outputToken;
    uint256 outputAmount;
    /// @dev Gets exactly `outputAmount` on the destination chain.
    address recipient;
    /// @dev Is repaid on the origin chain for the filler's fill, and may decline the order there.
    address solver;
    /// @dev Alone may fill the order until `exclusiveUntil`.
    address filler;
    /// @dev Earns the fee; zero without one.
    address integrator;
    /// @dev The part of the input that the integrator earns when the filler is repaid; a refund is of the whole input.
    uint256 integratorFee;
}

/// @dev The words of an encoded order.
uint256 constant INTENT_ORDER_LENGTH = 18 * 32;

/// @dev The EIP-712 type of an order, as text and as hash; ERC-7683 calls the hash the order data type.
string constant INTENT_ORDER_TYPE = "IntentOrder(address depositor,bytes32 salt,uint256 originChainId,"
"uint256 destinationChainId,bytes32 destinationChain,uint32 openDeadline,uint32 exclusiveUntil,uint32 fillDeadline,"
"uint32 refundAfter,address inputToken,uint256 inputAmount,address outputToken,uint256 outputAmount,"
"address recipient,address solver,address filler,address integrator,uint256 integratorFee)";
bytes32 constant INTENT_ORDER_TYPEHASH = keccak256(bytes(INTENT_ORDER_TYPE));

/// @notice The EIP-712 hash of an order's fields as they stand in the calldata. A field with dirty upper bits gives a
/// hash that no order has that was ever opened, because opening reads every field.
/// @param order The order.
/// @return result The hash.
function intentOrderStructHash(IntentOrder calldata order) pure returns (bytes32 result) {
    bytes32 typeHash = INTENT_ORDER_TYPEHASH;
    uint256 length = INTENT_ORDER_LENGTH;
    assembly ("memory-safe") {
        let free := mload(0x40)
        mstore(free, typeHash)
        calldatacopy(add(free, 32), order, length)
        result := keccak256(free, add(length, 32))
    }
}

/// @notice The hash of two words.
/// @param first The first word.
/// @param second The second word.
/// @return result The hash.
function hashPair(bytes32 first, bytes32 second) pure returns (bytes32 result) {
    assembly ("memory-safe") {
        mstore(0, first)
        mstore(32, second)
        result := keccak256(0, 64)
    }
}
