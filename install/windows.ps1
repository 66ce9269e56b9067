<#
Installs JAX Explorer for this person on Windows: an environment of its own, and an entry in the Start menu with its
icon. Nothing needs an administrator.

  powershell -ExecutionPolicy Bypass -File install\windows.ps1 [-Source SOURCE]
      SOURCE: this folder's repository (the default), a wheel, or git+ADDRESS@TAG
  powershell -ExecutionPolicy Bypass -File install\windows.ps1 -Remove
      takes all of it away; settings, drafts and scenarios of your own stay
#>
param([string]$Source = "", [switch]$Remove)
$ErrorActionPreference = "Stop"

$Folder = Join-Path $env:LOCALAPPDATA "Programs\jax-explorer"
$Environment = Join-Path $Folder "env"
$Scripts = Join-Path $Environment "Scripts"
$Shortcut = Join-Path ([Environment]::GetFolderPath("Programs")) "JAX Explorer.lnk"
$Picture = Join-Path (Split-Path -Parent $PSScriptRoot) "resources\icons\jax-explorer.svg"
$Icon = Join-Path $Folder "jax-explorer.ico"
$Project = Join-Path (Split-Path -Parent $PSScriptRoot) "pyproject.toml"
$Fixed = Join-Path (Split-Path -Parent $PSScriptRoot) "constraints.txt"

function Invoke-Checked {
    # PowerShell goes on where a program has failed.
    param([string]$Program, [string[]]$Words)
    & $Program @Words
    if ($LASTEXITCODE -ne 0) { throw "$Program $($Words -join ' ') failed with $LASTEXITCODE" }
}

function Remove-All {
    foreach ($Path in $Folder, $Shortcut) {
        if (Test-Path $Path) { Remove-Item -Recurse -Force $Path }
    }
    Write-Output "JAX Explorer is removed. Your settings, drafts and scenarios are still there."
}

function Test-Python {
    param([string]$Program, [string[]]$Words)
    if (-not (Get-Command $Program -ErrorAction SilentlyContinue)) { return $false }
    # The store's stand-in for Python says something and fails.
    try { & $Program @Words -c "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))" *> $null } catch { return $false }
    return $LASTEXITCODE -eq 0
}

function New-Environment {
    New-Item -ItemType Directory -Force $Folder | Out-Null
    $Python = Join-Path $Scripts "python.exe"
    foreach ($Words in @("py", "-3"), @("python"), @("python3")) {
        $Rest = @($Words | Select-Object -Skip 1)
        if (Test-Python $Words[0] $Rest) {
            Write-Output "Making an environment in $Environment; it takes a minute or two."
            Invoke-Checked $Words[0] ($Rest + @("-m", "venv", "--clear", $Environment))
            # What it needs is of these versions, and each file is compared with its hash; the source itself has none.
            $Install = @("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
            $Needed = & $Python -c "import sys, tomllib; print(*tomllib.load(open(sys.argv[1], 'rb'))['project']['dependencies'], sep='\n')" $Project
            Invoke-Checked $Python ($Install + @("-r", "$PSScriptRoot\pip.txt"))
            Invoke-Checked $Python ($Install + @("-c", $Fixed) + $Needed)
            Invoke-Checked $Python ($Install + @("--build-constraint", $Fixed, $Source))
            return
        }
    }
    $Found = Get-Command uv -ErrorAction SilentlyContinue
    if ($Found) { $Uv = $Found.Source } else { $Uv = Join-Path $Folder "uv\uv.exe" }
    if (-not (Test-Path $Uv)) {
        # The installer of uv's makers, which changes nothing outside that folder.
        $Address = "https://astral.sh/uv/install.ps1"
        Write-Output "There is no Python 3.11 or newer and no uv here. Fetching uv: $Address"
        $env:UV_UNMANAGED_INSTALL = Join-Path $Folder "uv"
        Invoke-RestMethod $Address | Invoke-Expression
    }
    Write-Output "There is no Python 3.11 or newer here: uv brings one along."
    $env:UV_PYTHON_INSTALL_DIR = Join-Path $Folder "python"
    Invoke-Checked $Uv @("venv", "--quiet", "--clear", "--python", ">=3.11,<3.14", $Environment)
    Invoke-Checked $Uv @("pip", "install", "--quiet", "--python", $Python, "-c", $Fixed, "--build-constraint", $Fixed, $Source)
}

function Write-Menu {
    Invoke-Checked (Join-Path $Scripts "python.exe") @("$PSScriptRoot\icon.py", $Picture, "256", $Icon)
    # Without the window of a terminal; -P: nothing in the current folder is taken for a module.
    $Windowed = Join-Path $Scripts "pythonw.exe"
    $Link = (New-Object -ComObject WScript.Shell).CreateShortcut($Shortcut)
    $Link.TargetPath = $Windowed
    $Link.Arguments = "-P -m jax_explorer"
    $Link.IconLocation = $Icon
    $Link.WorkingDirectory = [Environment]::GetFolderPath("MyDocuments")
    $Link.Description = "Lessons on JAX"
    $Link.Save()
}

if ($Remove) {
    Remove-All
    exit 0
}
if (-not $Source) { $Source = Split-Path -Parent $PSScriptRoot }
New-Environment
Write-Menu
& (Join-Path $Scripts "jax-explorer.exe") doctor
Write-Output ""
Write-Output "JAX Explorer is in the Start menu; $Scripts\jax-explorer.exe starts it, too."
Write-Output "To take it away: powershell -ExecutionPolicy Bypass -File $PSCommandPath -Remove"
exit 0
