// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

// What attesters sign, and how an order commits to them. Every family signs and checks the same bytes.

/// @dev The EIP-712 type of an attestation. Each word stands in the record of the fill, or is the order's own.
bytes32 constant FILL_TYPEHASH = keccak256("Fill(bytes32 orderId,bytes32 repayTo,uint8 repayToKind,uint32 filledAt)");

/// @dev The EIP-712 domain of attestations: the hash of its type, of the name OpenRFQ and of the version 3. It names no
/// chain and no contract, because the order's identifier covers both of each.
bytes32 constant FILL_DOMAIN = 0x65e69aa5bcddd3a316f66d212762c3f2723d55cbd07470f3915d7a4e7a2502b8;

/// @dev The bytes of one signature.
uint256 constant SIGNATURE_LENGTH = 65;

/// @notice The members are not those that the order commits to.
error WrongAttesters(bytes32 attesters);
/// @notice More or fewer signatures than the order's threshold.
error WrongSignatureCount(uint256 given, uint256 needed);
/// @notice A signature by no member, or by one that has signed already.
error NotAttester(address signer);

/// @notice How many members must sign.
/// @param attesters The word that an order holds.
/// @return The threshold; zero is none.
function thresholdOf(bytes32 attesters) pure returns (uint256) {
    return uint8(attesters[0]);
}

/// @notice The digest that attesters sign: an order was filled.
/// @param orderId The order.
/// @param repayTo Who is repaid on the origin chain.
/// @param repayToKind What `repayTo` is.
/// @param filledAt When it was filled, by the destination chain's clock.
/// @return digest The digest, equal in every family.
function fillDigest(
    bytes32 orderId,
    bytes32 repayTo,
    uint8 repayToKind,
    uint32 filledAt
) pure returns (bytes32 digest) {
    (bytes32 typeHash, bytes32 domain) = (FILL_TYPEHASH, FILL_DOMAIN);
    assembly ("memory-safe") {
        let free := mload(0x40)
        mstore(free, typeHash)
        mstore(add(free, 32), orderId)
        mstore(add(free, 64), repayTo)
        mstore(add(free, 96), and(repayToKind, 0xff))
        mstore(add(free, 128), and(filledAt, 0xffffffff))
        let structHash := keccak256(free, 160)
        mstore(free, hex"1901")
        mstore(add(free, 2), domain)
        mstore(add(free, 34), structHash)
        digest := keccak256(free, 66)
    }
}

/// @notice Reverts unless these members are the order's.
/// @param attesters The word that the order holds.
/// @param members The members, in ascending order, as they were hashed.
/// @return threshold How many of them must sign, at least one.
function requireMembers(bytes32 attesters, address[] calldata members) pure returns (uint256 threshold) {
    threshold = thresholdOf(attesters);
    bytes32 hash = keccak256(abi.encodePacked(members));
    if (threshold == 0 || attesters << 8 != hash >> 8 << 8) revert WrongAttesters(attesters);
}

/// @notice Reverts unless every signature is of another member, in ascending order.
/// @param members The members, in ascending order.
/// @param digest What is signed.
/// @param signatures 65 bytes each: r, s and v.
function requireSigned(address[] calldata members, bytes32 digest, bytes calldata signatures) pure {
    address last;
    uint256 next;
    for (uint256 i; i < signatures.length; i += SIGNATURE_LENGTH) {
        address signer = ECDSA.recoverCalldata(digest, signatures[i:i + SIGNATURE_LENGTH]);
        while (next < members.length && members[next] != signer) ++next;
        if (signer <= last || next == members.length) revert NotAttester(signer);
        last = signer;
    }
}
