// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

// The structs, events and functions of ERC-7683 (Cross Chain Intents).

/// @notice An order as the user submits it to the origin settler.
struct OnchainCrossChainOrder {
    /// @dev The time by which the order must be filled on the destination chain, in seconds since 1970.
    uint32 fillDeadline;
    /// @dev The EIP-712 typehash of what `orderData` encodes.
    bytes32 orderDataType;
    /// @dev The settlement system's own order, ABI-encoded.
    bytes orderData;
}

/// @notice An order that anybody may submit to the origin settler with the user's signature.
struct GaslessCrossChainOrder {
    /// @dev The settler that the user authorises.
    address originSettler;
    address user;
    /// @dev Protects from replay; the settlement system says how.
    uint256 nonce;
    uint256 originChainId;
    /// @dev The time by which the order must be opened, in seconds since 1970.
    uint32 openDeadline;
    /// @dev The time by which the order must be filled on the destination chain, in seconds since 1970.
    uint32 fillDeadline;
    /// @dev The EIP-712 typehash of what `orderData` encodes.
    bytes32 orderDataType;
    /// @dev The settlement system's own order, ABI-encoded.
    bytes orderData;
}

/// @notice A token that changes hands; addresses are left-padded to 32 bytes, and zero is the native asset.
struct Output {
    bytes32 token;
    uint256 amount;
    bytes32 recipient;
    uint256 chainId;
}

/// @notice What a filler passes to the destination settler to fill one leg of an order.
struct FillInstruction {
    uint256 destinationChainId;
    bytes32 destinationSettler;
    bytes originData;
}

/// @notice An order in the terms every filler understands, whatever the settlement system.
struct ResolvedCrossChainOrder {
    address user;
    uint256 originChainId;
    uint32 openDeadline;
    uint32 fillDeadline;
    bytes32 orderId;
    /// @dev What the filler sends on the destination chain.
    Output[] maxSpent;
    /// @dev What the filler is given on the origin chain.
    Output[] minReceived;
    FillInstruction[] fillInstructions;
}

/// @title The origin chain's side of ERC-7683.
interface IOriginSettler {
    /// @notice An order was opened; `resolvedOrder` is what `resolve` answers for it.
    event Open(bytes32 indexed orderId, ResolvedCrossChainOrder resolvedOrder);

    /// @notice Opens an order and escrows its input; called by the user.
    /// @param order The order as the user submits it.
    function open(OnchainCrossChainOrder calldata order) external payable;

    /// @notice Opens an order and escrows its input; called by anybody with the user's signature.
    /// @param order The order as the user signed it.
    /// @param signature The user's permission, in a form of the settlement system.
    /// @param originFillerData What the caller wishes to say; a settler may ignore it.
    function openFor(
        GaslessCrossChainOrder calldata order,
        bytes calldata signature,
        bytes calldata originFillerData
    ) external;

    /// @notice Puts an order into the terms every filler understands; says nothing about its status.
    /// @param order The order as the user submits it.
    /// @return The order's inputs, outputs and fill instructions.
    function resolve(OnchainCrossChainOrder calldata order) external view returns (ResolvedCrossChainOrder memory);

    /// @notice As `resolve`, for an order that is opened by `openFor`.
    /// @param order The order as the user signed it.
    /// @param originFillerData What the caller of `openFor` would say.
    /// @return The order's inputs, outputs and fill instructions.
    function resolveFor(
        GaslessCrossChainOrder calldata order,
        bytes calldata originFillerData
    ) external view returns (ResolvedCrossChainOrder memory);
}

/// @title The destination chain's side of ERC-7683.
interface IDestinationSettler {
    /// @notice Fills one leg of an order.
    /// @param orderId The order's identifier.
    /// @param originData The fill instruction's data.
    /// @param fillerData What the filler wishes to say; a settler may ignore it.
    function fill(bytes32 orderId, bytes calldata originData, bytes calldata fillerData) external payable;
}
