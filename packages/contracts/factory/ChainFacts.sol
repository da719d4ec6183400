// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice What a contract knows of the chain it stands on. It is no part of the contract's creation code, so the code,
/// and with it the address, is the same on every chain.
struct ChainFacts {
    /// @dev Axelar's gateway.
    address gateway;
    /// @dev Axelar's gas service.
    address gasService;
    /// @dev Axelar's name of this chain, in lower case and left-aligned.
    bytes32 chainName;
    /// @dev How long, at least, an order that is filled on this chain waits for its proof between its fill deadline and
    /// its refund, in seconds: this chain's finality and Axelar's relay, with room.
    uint32 proofWindow;
    /// @dev The registry of the pools that swaps use, which answers Uniswap v3's getPool; zero where there is none.
    address swapFactory;
    /// @dev The native asset as an ERC-20, as WETH9 wraps it; zero where there is none.
    address wrappedNative;
}

/// @title What constructors ask the factory that deploys them.
interface IChainFacts {
    /// @notice The facts of the deployment in progress. Reverts when there is none.
    /// @return The facts.
    function facts() external view returns (ChainFacts memory);
}
