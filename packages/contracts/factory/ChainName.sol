// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

// Axelar's name of a chain as orders and messages hold it: at most 20 characters in lower case, left-aligned in 32
// bytes. Axelar compares names without case in its core and keeps the case elsewhere; two names that differ by case
// alone cannot coexist there.

/// @dev The longest name that Axelar gives a chain.
uint256 constant MAXIMUM_CHAIN_NAME_LENGTH = 20;

/// @dev The high bit of every byte.
uint256 constant HIGH_BITS = 0x8080808080808080808080808080808080808080808080808080808080808080;
/// @dev 0x01 in every byte.
uint256 constant ONES = 0x0101010101010101010101010101010101010101010101010101010101010101;

/// @notice A text that is no chain name: empty, longer than 20 bytes, or with other than printable ASCII characters.
error InvalidChainName(string name);

/// @notice Puts the ASCII capitals of a word into lower case, all 32 bytes at once.
/// @param word Bytes below 0x80; bytes above make the answer meaningless.
/// @return The word in lower case.
function lowerCase(uint256 word) pure returns (uint256) {
    // Per byte: the high bit of `fromA` says "at least A", that of `pastZ` says "beyond Z". No byte carries over.
    uint256 fromA = word + ONES * 0x3f;
    uint256 pastZ = word + ONES * 0x25;
    return word | ((fromA & ~pastZ & HIGH_BITS) >> 2);
}

/// @notice The name of a chain as orders hold it. Reverts with InvalidChainName when the text is no name.
/// @param name Axelar's name in any case.
/// @return The name in lower case, left-aligned.
function foldChainName(string calldata name) pure returns (bytes32) {
    uint256 length = bytes(name).length;
    if (length == 0 || length > MAXIMUM_CHAIN_NAME_LENGTH) revert InvalidChainName(name);
    uint256 unused = 256 - 8 * length;
    uint256 word;
    assembly ("memory-safe") {
        word := shl(unused, shr(unused, calldataload(name.offset)))
    }
    // Per byte: the high bit of the sum says "at least 0x21". All bytes of the name must have it, and no others can.
    bool isPrintable = word & HIGH_BITS == 0 && (word + ONES * 0x5f) & HIGH_BITS == (HIGH_BITS >> unused) << unused;
    if (!isPrintable) revert InvalidChainName(name);
    return bytes32(lowerCase(word));
}

/// @notice Whether a word may be a chain's name: not zero, ASCII, without capitals.
/// @param name The word.
/// @return Whether it may.
function isFolded(bytes32 name) pure returns (bool) {
    uint256 word = uint256(name);
    return word != 0 && word & HIGH_BITS == 0 && lowerCase(word) == word;
}
