// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @title The part of ERC-1271 that is called here.
interface IContractWallet {
    /// @notice Whether a contract account accepts a signature.
    /// @param digest What was signed.
    /// @param signature The signature.
    /// @return 0x1626ba7e if it does.
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

/// @title The part of ERC-2612 that is called here.
interface IPermitToken {
    /// @notice Sets an allowance by its owner's signature.
    /// @param owner The owner.
    /// @param spender Who may spend.
    /// @param value The allowance.
    /// @param deadline The last second of the signature.
    /// @param v The signature's recovery id.
    /// @param r The signature's first word.
    /// @param s The signature's second word.
    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

/// @title The part of ERC-3009 that is called here: the split form of a signature.
interface IAuthorizedToken {
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
    ) external;
}

/// @title The form of ERC-3009 that takes signatures of contract accounts, as USDC has it since version 2.2.
interface IAuthorizedTokenOfContracts {
    /// @notice Moves tokens to the caller by their owner's signature.
    /// @param from The owner.
    /// @param to The caller.
    /// @param value The amount.
    /// @param validAfter The second before the first one of the signature.
    /// @param validBefore The second after the last one of the signature.
    /// @param nonce Used once by the owner.
    /// @param signature The signature.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}

/// @title The part of Uniswap's Permit2 that is called here.
interface IPermit2 {
    /// @notice The most that a signature moves.
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    /// @notice What the owner signs, beside the spender and the witness.
    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What the spender asks for.
    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    /// @notice Moves tokens by a signature that names the caller as spender, and a witness.
    /// @param permit What was signed.
    /// @param transferDetails What is asked for.
    /// @param owner The owner.
    /// @param witness The EIP-712 hash of the struct that the signature contains.
    /// @param witnessTypeString The rest of the signature's type text.
    /// @param signature The signature.
    function permitWitnessTransferFrom(
        PermitTransferFrom memory permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
