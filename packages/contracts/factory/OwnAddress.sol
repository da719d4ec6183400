// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {HIGH_BITS, lowerCase} from "./ChainName.sol";

/// @title A contract's own address as the text that Axelar's messages carry.
abstract contract OwnAddress {
    bytes16 private constant DIGITS = "0123456789abcdef";
    uint256 private constant LENGTH = 42;

    /// @dev "0x" and 30 digits, and the last 10 digits, in lower case.
    uint256 private immutable _start;
    uint256 private immutable _end;

    /// @dev Writes the address in lower-case hex digits and keeps it in two words.
    constructor() {
        bytes memory text = "0x0000000000000000000000000000000000000000";
        uint160 value = uint160(address(this));
        for (uint256 i = LENGTH - 1; i > 1; --i) {
            text[i] = DIGITS[value & 0xf];
            value >>= 4;
        }
        (uint256 start, uint256 end) = (0, 0);
        assembly ("memory-safe") {
            start := mload(add(text, 32))
            end := shr(176, mload(add(text, 64)))
        }
        (_start, _end) = (start, end << 176);
    }

    /// @dev The address in lower-case hex digits.
    function _ownAddress() internal view returns (string memory text) {
        text = new string(LENGTH);
        (uint256 start, uint256 end) = (_start, _end);
        assembly ("memory-safe") {
            mstore(add(text, 32), start)
            mstore(add(text, 64), end)
        }
    }

    /// @dev Whether a text is this address; Axelar promises nothing about the case of its digits.
    function _isOwnAddress(string calldata text) internal view returns (bool) {
        if (bytes(text).length != LENGTH) return false;
        (uint256 start, uint256 end) = (0, 0);
        assembly ("memory-safe") {
            start := calldataload(text.offset)
            end := shl(176, shr(176, calldataload(add(text.offset, 32))))
        }
        return (start | end) & HIGH_BITS == 0 && lowerCase(start) == _start && lowerCase(end) == _end;
    }
}
