// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {OwnedToken} from "./OwnedToken.sol";

/// @title A token whose owners may also pay by a signature of their key: ERC-3009's `receiveWithAuthorization`, as USDC
/// has it. For sandboxes.
contract AuthorizedToken is OwnedToken {
    bytes32 private constant RECEIVE_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    /// @notice The EIP-712 domain of signatures: name, version "1", chain and this address.
    bytes32 public immutable DOMAIN_SEPARATOR;
    /// @notice Whether an authorization was used.
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    error NotPayee(address caller, address payee);
    error WrongTime(uint256 validAfter, uint256 validBefore);
    error UsedAuthorization(address authorizer, bytes32 nonce);
    error WrongSignature(address signer, address authorizer);

    constructor(
        string memory name_,
        string memory symbol_,
        uint8 decimals_
    ) OwnedToken(name_, symbol_, decimals_) {
        DOMAIN_SEPARATOR = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name_)),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
    }

    /// @notice Moves tokens to the caller by their owner's signature.
    /// @param from The owner.
    /// @param to The caller.
    /// @param value The amount.
    /// @param validAfter The second before the first one of the signature.
    /// @param validBefore The second after the last one of the signature.
    /// @param nonce Used once by the owner.
    /// @param v The signature's recovery id.
    /// @param r The signature's first word.
    /// @param s The signature's second word.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        if (to != msg.sender) revert NotPayee(msg.sender, to);
        if (block.timestamp <= validAfter || block.timestamp >= validBefore) revert WrongTime(validAfter, validBefore);
        if (authorizationState[from][nonce]) revert UsedAuthorization(from, nonce);
        authorizationState[from][nonce] = true;
        bytes32 structHash = keccak256(
            abi.encode(RECEIVE_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
        );
        address signer = ecrecover(keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR, structHash)), v, r, s);
        if (signer == address(0) || signer != from) revert WrongSignature(signer, from);
        emit AuthorizationUsed(from, nonce);
        _transfer(from, to, value);
    }
}
