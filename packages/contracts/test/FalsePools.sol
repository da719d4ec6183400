// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

interface ICallback {
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
    function pancakeV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
}

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// @title A registry that answers itself as every pool, and a pool that does not keep Uniswap's rules.
/// @dev For tests only.
contract FalsePools {
    enum Mood {
        Honest,
        Pancake,
        Silent,
        Greedy,
        Sparing,
        Repeating,
        Delegating,
        Empty,
        Lying
    }

    Mood private _mood;
    address private _registered;

    function setMood(Mood mood) external {
        _mood = mood;
    }

    function setRegistered(address pool) external {
        _registered = pool;
    }

    function getPool(address, address, uint24) external view returns (address) {
        return _registered;
    }

    /// @notice Gives the recipient as much of the other token as it takes, if told so, of `output`.
    function swap(
        address recipient,
        bool zeroForOne,
        int256 amountSpecified,
        uint160,
        bytes calldata data
    ) external returns (int256 amount0, int256 amount1) {
        int256 taken = amountSpecified;
        if (_mood == Mood.Greedy) taken += 1;
        if (_mood == Mood.Sparing) taken -= 1;
        (amount0, amount1) = zeroForOne ? (taken, -amountSpecified) : (-amountSpecified, taken);
        if (_mood == Mood.Lying) (amount0, amount1) = zeroForOne ? (taken, taken) : (taken, taken);
        if (_output != address(0) && _mood != Mood.Empty)
            IToken(_output).transfer(recipient, uint256(amountSpecified));
        if (_mood == Mood.Silent) return (amount0, amount1);
        if (_mood == Mood.Pancake) ICallback(msg.sender).pancakeV3SwapCallback(amount0, amount1, data);
        else if (_mood == Mood.Delegating) _helper.callBack(msg.sender, amount0, amount1, data);
        else ICallback(msg.sender).uniswapV3SwapCallback(amount0, amount1, data);
        if (_mood == Mood.Repeating) ICallback(msg.sender).uniswapV3SwapCallback(amount0, amount1, data);
    }

    address private _output;
    CallbackHelper private immutable _helper = new CallbackHelper();

    function setOutput(address output) external {
        _output = output;
    }
}

/// @title Calls back in a pool's place.
/// @dev For tests only.
contract CallbackHelper {
    function callBack(address target, int256 amount0, int256 amount1, bytes calldata data) external {
        ICallback(target).uniswapV3SwapCallback(amount0, amount1, data);
    }
}
