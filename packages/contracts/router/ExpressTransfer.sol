// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice The order that a sender signs. Times are seconds since 1970, amounts are base units, and token zero is the
/// native asset. A path is Uniswap v3's (token, three bytes of fee, token, ...), empty without a swap.
struct ExpressOrder {
    /// @dev Makes the order unique; one sender uses one salt once.
    bytes32 salt;
    /// @dev The last second at which the order may be sent.
    uint32 deadline;
    address inputToken;
    uint256 inputAmount;
    /// @dev From the input, wrapped if it is native, to the bridge token.
    bytes inputPath;
    /// @dev The gateway's name, on the source chain, of the token that crosses.
    string symbol;
    uint256 minimumBridgeAmount;
    /// @dev Is paid the bridge token, on the source chain, if the transfer is given back; and the gas that was paid too
    /// much.
    address refundAddress;
    uint256 destinationChainId;
    /// @dev Axelar's case-exact name of the destination chain.
    string destinationChain;
    address outputToken;
    /// @dev From the bridge token to the output, wrapped if it is native.
    bytes outputPath;
    uint256 minimumAmount;
    address recipient;
    /// @dev May give the transfer back at any time, and may execute it during the executor's priority; zero without.
    address keeper;
    /// @dev Executes the delivery before anybody else may; zero without.
    address executor;
    /// @dev The last second of the executor's priority, by the destination chain's clock.
    uint32 priorityUntil;
    /// @dev After this second, by the destination chain's clock, anybody may give the transfer back.
    uint32 returnAfter;
    /// @dev Gets the fee with the delivery; zero without one.
    address integrator;
    /// @dev The fee in hundredths of a percent of the output, rounded down; 100 at most.
    uint16 integratorFeeBps;
}

/// @notice One transfer, as its message carries it to the destination and, if it is given back, to the source again. The
/// hash of its ABI encoding is the transfer's identifier, and is also the payload hash in every event of both gateways.
struct ExpressTransfer {
    /// @dev Axelar's names of both chains, in lower case and left-aligned.
    bytes32 sourceChain;
    bytes32 destinationChain;
    uint256 sourceChainId;
    uint256 destinationChainId;
    address sender;
    bytes32 salt;
    address refundAddress;
    /// @dev The gateway's name, on the source chain, of the token that crosses.
    string symbol;
    /// @dev How much of that token crosses.
    uint256 amount;
    address outputToken;
    bytes outputPath;
    uint256 minimumAmount;
    address recipient;
    address keeper;
    address executor;
    uint32 priorityUntil;
    uint32 returnAfter;
    address integrator;
    uint16 integratorFeeBps;
}
