"""Residual blocks as in ResNet: convolutions, batch norm in eval mode, in-place relu and add. Lowers to every output type."""
import torch
from torch import nn

from save import save


class ResidualBlock(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += x
        return self.relu(out)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU(inplace=True))
        self.block1 = ResidualBlock(8)
        self.block2 = ResidualBlock(8)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(8, 10)

    def forward(self, image):
        x = self.block2(self.block1(self.stem(image)))
        return self.head(torch.flatten(self.pool(x), 1))


if __name__ == "__main__":
    torch.manual_seed(0)
    save(Classifier(), (torch.randn(1, 3, 16, 16),), "residual_block")
