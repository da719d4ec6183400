// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

// One order between any two chains of any family, as words of 32 bytes. Every family hashes the same words, so an order
// has one identifier everywhere.

/// @notice One order: the depositor's input on the origin chain, and the recipient's output on the destination chain.
/// Times are seconds since 1970, and amounts are base units. Accounts and tokens are 32 bytes on every chain: an EVM
/// address is left-padded, a Stellar asset is its contract, and token zero is the native asset of an EVM chain and of
/// Solana.
struct Order {
    /// @dev Makes two otherwise equal orders different; begins with the number of the answer that quoted the order.
    bytes32 salt;
    /// @dev The EIP-155 number of an EVM chain, or the Keccak-256 hash of a ledger's CAIP-2 identifier, as is
    /// `destinationChainId`.
    uint256 originChainId;
    /// @dev The contract or program that keeps the deposit.
    bytes32 originSettler;
    /// @dev Pays the input, and is the only one ever refunded.
    bytes32 depositor;
    bytes32 inputToken;
    uint256 inputAmount;
    uint256 destinationChainId;
    /// @dev Axelar's name of the destination chain, in lower case and left-aligned, where Axelar proves the fill: a
    /// proof counts from there alone. Zero when the origin or the destination is a ledger.
    bytes32 destinationName;
    /// @dev The contract or program that keeps the record of the fill.
    bytes32 destinationSettler;
    bytes32 outputToken;
    uint256 outputAmount;
    /// @dev Gets exactly `outputAmount` on the destination chain.
    bytes32 recipient;
    /// @dev The identifier of a muxed recipient on Stellar; zero for every other kind.
    uint64 recipientTag;
    /// @dev Is repaid on the origin chain for the filler's fill, and may decline the order there.
    bytes32 solver;
    /// @dev Alone may fill the order until `exclusiveUntil`.
    bytes32 filler;
    /// @dev The kinds of depositor, recipient, solver, filler and integrator, a byte each. The integrator's is zero when
    /// there is none.
    bytes5 accountKinds;
    /// @dev The last second at which the order may be opened.
    uint32 openDeadline;
    /// @dev The last second at which the filler alone may fill, by the destination chain's clock, and at which the
    /// solver may decline, by the origin chain's clock.
    uint32 exclusiveUntil;
    /// @dev The last second, by the destination chain's clock, at which the order may be filled.
    uint32 fillDeadline;
    /// @dev After this second, by the origin chain's clock, anybody may have the depositor refunded.
    uint32 refundAfter;
    /// @dev Who may say that the order was filled, when the origin or the destination is a ledger: the threshold in the
    /// first byte, and the first 31 bytes of the members' hash. Zero between EVM chains, where Axelar proves.
    bytes32 attesters;
    /// @dev Earns the fee on the origin chain; zero without one.
    bytes32 integrator;
    /// @dev The part of the input that the integrator earns when the filler is repaid; a refund is of the whole input.
    uint256 integratorFee;
}

/// @dev The bytes of an encoded order.
uint256 constant ORDER_LENGTH = 23 * 32;

/// @dev The EIP-712 type of an order, as text and as hash; ERC-7683 calls the hash the order data type.
string constant ORDER_TYPE = "Order(bytes32 salt,uint256 originChainId,bytes32 originSettler,bytes32 depositor,"
"bytes32 inputToken,uint256 inputAmount,uint256 destinationChainId,bytes32 destinationName,bytes32 destinationSettler,"
"bytes32 outputToken,uint256 outputAmount,bytes32 recipient,uint64 recipientTag,bytes32 solver,bytes32 filler,"
"bytes5 accountKinds,uint32 openDeadline,uint32 exclusiveUntil,uint32 fillDeadline,uint32 refundAfter,"
"bytes32 attesters,bytes32 integrator,uint256 integratorFee)";
bytes32 constant ORDER_TYPEHASH = keccak256(bytes(ORDER_TYPE));

// What an account's 32 bytes are.
uint8 constant EVM_ACCOUNT = 1;
uint8 constant SOLANA_ACCOUNT = 2;
uint8 constant STELLAR_ACCOUNT = 3;
uint8 constant STELLAR_CONTRACT = 4;
/// @dev A Stellar account and a tag beside it; of recipients alone.
uint8 constant STELLAR_MUXED = 5;

/// @notice An account that is none on its chain, or that cannot take its part in the order.
error InvalidAccount(bytes32 account);

/// @notice The identifier of an order: Keccak-256 of the type's hash and the order's 23 words as they stand in the
/// calldata, which is EIP-712's hash of the struct. A field with dirty upper bits gives an identifier that no order has
/// that was ever opened, because opening reads every field.
/// @param order The order.
/// @return result The identifier, equal on every chain of every family.
function orderIdOf(Order calldata order) pure returns (bytes32 result) {
    bytes32 typeHash = ORDER_TYPEHASH;
    uint256 length = ORDER_LENGTH;
    assembly ("memory-safe") {
        let free := mload(0x40)
        mstore(free, typeHash)
        calldatacopy(add(free, 32), order, length)
        result := keccak256(free, add(length, 32))
    }
}

/// @notice Whether an identifier is that of an EVM chain.
/// @param chainId The identifier.
/// @return Whether it is an EIP-155 number; a hash below 2^64 does not occur.
function isEvm(uint256 chainId) pure returns (bool) {
    return chainId < 2 ** 64;
}

/// @notice The EVM address that a word holds. Reverts for another word.
/// @param account The word.
/// @return The address.
function toAddress(bytes32 account) pure returns (address) {
    if (uint256(account) > type(uint160).max) revert InvalidAccount(account);
    return address(uint160(uint256(account)));
}

/// @notice An address as orders hold it.
/// @param account The address.
/// @return The word.
function toWord(address account) pure returns (bytes32) {
    return bytes32(uint256(uint160(account)));
}
